import 'app/nonce';
import { mount } from 'app/mount';
import { ServerState } from 'app/server-state';
import { ChatScreen } from 'screens/chat/chat-screen';

mount(
  <ServerState>
    <ChatScreen />
  </ServerState>,
);
