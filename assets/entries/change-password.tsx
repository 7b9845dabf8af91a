import 'app/nonce';
import { mount } from 'app/mount';
import { ChangePasswordScreen } from 'screens/change-password/change-password-screen';
import { RefreshEnd } from 'screens/refresh-end/refresh-end';

mount(
  <>
    <ChangePasswordScreen />
    <RefreshEnd />
  </>,
);
