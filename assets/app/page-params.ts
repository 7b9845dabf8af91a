/** What the server tells a page besides its markup. */
export interface PageParams {
  /** The product's name, from the server's setting. */
  product: string;
  screen: string;
  termsUrl: string;
  privacyEmail: string;
  /** What one uploaded file may have at most. */
  uploadMaxBytes: number;
}

function read(): PageParams {
  const text = document.getElementById('page-data')?.textContent ?? '{}';
  const data = JSON.parse(text) as Partial<PageParams>;
  return {
    product: data.product ?? document.title,
    screen: data.screen ?? '',
    termsUrl: data.termsUrl ?? '/terms',
    privacyEmail: data.privacyEmail ?? '',
    uploadMaxBytes: data.uploadMaxBytes ?? 0,
  };
}

export const pageParams: PageParams = read();
