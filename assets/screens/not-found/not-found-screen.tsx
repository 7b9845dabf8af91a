import { Notice } from 'design/components/notice';

export function NotFoundScreen() {
  return (
    <Notice
      title="404 - Page Not Found"
      text="There is no page at this address."
      action={<a href="/">Go to the start page</a>}
    />
  );
}
