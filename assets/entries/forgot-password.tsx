import 'app/nonce';
import { mount } from 'app/mount';
import { ForgotPasswordScreen } from 'screens/forgot-password/forgot-password-screen';

mount(<ForgotPasswordScreen />);
