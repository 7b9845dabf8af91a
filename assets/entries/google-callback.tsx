import 'app/nonce';
import { mount } from 'app/mount';
import { GoogleCallbackScreen } from 'screens/google-callback/google-callback-screen';

mount(<GoogleCallbackScreen />);
