import 'app/nonce';
import { mount } from 'app/mount';
import { ErrorScreen } from 'screens/error/error-screen';

mount(<ErrorScreen />);
