/** What is asked in a row's place stands as high as the row did: nothing below jumps under the pointer. */
export interface RowHeight {
  minHeight: number | undefined;
}

export function heightOfRow(button: HTMLElement): RowHeight {
  return { minHeight: button.closest('li')?.offsetHeight || undefined };
}
