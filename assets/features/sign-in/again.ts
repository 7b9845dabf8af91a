/** Puts a field that has to be filled in again under the cursor, its text chosen: who types replaces it. */
export function fillAgain(field: HTMLInputElement | null | undefined): void {
  field?.focus();
  field?.select();
}
