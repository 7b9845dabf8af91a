/** What the server tells a page besides its markup. */
export interface PageParams {
  /** The product's name, from the server's setting. */
  product: string;
  screen: string;
  termsUrl: string;
  privacyEmail: string;
}

function read(): PageParams {
  const text = document.getElementById('page-data')?.textContent ?? '{}';
  const data = JSON.parse(text) as Partial<PageParams>;
  return {
    product: data.product ?? document.title,
    screen: data.screen ?? '',
    termsUrl: data.termsUrl ?? '/terms',
    privacyEmail: data.privacyEmail ?? '',
  };
}

export const pageParams: PageParams = read();
