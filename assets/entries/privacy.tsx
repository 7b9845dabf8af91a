import 'app/nonce';
import { mount } from 'app/mount';
import { PrivacyScreen } from 'screens/privacy/privacy-screen';
import { RefreshEnd } from 'screens/refresh-end/refresh-end';

mount(
  <>
    <PrivacyScreen />
    <RefreshEnd />
  </>,
);
