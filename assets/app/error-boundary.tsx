import { Notice } from 'design/components/notice';
import { Component, type ReactNode } from 'react';

interface State {
  failed: boolean;
}

/** The last net: a sentence and a way back instead of an empty page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice
        title="Something went wrong"
        text="The page could not be shown. Your data and your threads are safe."
        action={
          <a href={window.location.pathname} onClick={() => window.location.reload()}>
            Load the page again
          </a>
        }
      />
    );
  }
}
