import 'app/nonce';
import { mount } from 'app/mount';
import { LoginScreen } from 'screens/login/login-screen';

mount(<LoginScreen />);
