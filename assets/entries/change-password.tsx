import 'app/nonce';
import { mount } from 'app/mount';
import { ChangePasswordScreen } from 'screens/change-password/change-password-screen';

mount(<ChangePasswordScreen />);
