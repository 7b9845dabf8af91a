import 'app/nonce';
import { mount } from 'app/mount';
import { HubSpotCallbackScreen } from 'screens/hubspot-callback/hubspot-callback-screen';

mount(<HubSpotCallbackScreen />);
