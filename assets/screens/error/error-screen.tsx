import { Notice } from 'design/components/notice';

export function ErrorScreen() {
  return (
    <Notice
      title="Something went wrong"
      text="This step could not be finished. Nothing was changed; you can go back and try it again."
      action={<a href="/chat">Go to the chat</a>}
    />
  );
}
