import 'app/nonce';
import { mount } from 'app/mount';
import { CreatePasswordScreen } from 'screens/create-password/create-password-screen';

mount(<CreatePasswordScreen />);
