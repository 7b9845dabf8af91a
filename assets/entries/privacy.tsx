import 'app/nonce';
import { mount } from 'app/mount';
import { PrivacyScreen } from 'screens/privacy/privacy-screen';

mount(<PrivacyScreen />);
