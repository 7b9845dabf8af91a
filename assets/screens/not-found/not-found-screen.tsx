import { Notice } from 'design/components/notice';

export function NotFoundScreen() {
  return (
    <Notice
      title="404 - Page Not Found"
      text="Nothing hangs at this address."
      action={<a href="/">Go to the start page</a>}
    />
  );
}
