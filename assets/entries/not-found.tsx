import 'app/nonce';
import { mount } from 'app/mount';
import { NotFoundScreen } from 'screens/not-found/not-found-screen';
import { RefreshEnd } from 'screens/refresh-end/refresh-end';

mount(
  <>
    <NotFoundScreen />
    <RefreshEnd />
  </>,
);
