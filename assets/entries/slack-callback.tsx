import 'app/nonce';
import { mount } from 'app/mount';
import { SlackCallbackScreen } from 'screens/slack-callback/slack-callback-screen';

mount(<SlackCallbackScreen />);
