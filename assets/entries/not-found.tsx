import 'app/nonce';
import { mount } from 'app/mount';
import { NotFoundScreen } from 'screens/not-found/not-found-screen';

mount(<NotFoundScreen />);
