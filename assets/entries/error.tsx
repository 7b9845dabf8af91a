import 'app/nonce';
import { mount } from 'app/mount';
import { ErrorScreen } from 'screens/error/error-screen';
import { RefreshEnd } from 'screens/refresh-end/refresh-end';

mount(
  <>
    <ErrorScreen />
    <RefreshEnd />
  </>,
);
