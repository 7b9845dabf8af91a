import 'app/nonce';
import { mount } from 'app/mount';
import { VerifyScreen } from 'screens/verify/verify-screen';

mount(<VerifyScreen />);
