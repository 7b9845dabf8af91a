import { Notice } from 'design/components/notice';

/** Where a step over another service ends that did not come to its end; Google's stands in a window of its own. */
export function ErrorScreen() {
  const inPopup = window.opener !== null;
  return (
    <Notice
      title="Something went wrong"
      text="This step could not be finished. Nothing was changed: please try again from the chat."
      action={
        inPopup ? (
          <button type="button" onClick={() => window.close()}>
            Close this window
          </button>
        ) : (
          <a href="/chat">Go to the chat</a>
        )
      }
    />
  );
}
