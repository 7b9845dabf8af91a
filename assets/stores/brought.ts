import { storeCreate } from './store';

/** The files that this tab brought last, by the names they were taken under; none once they were told of. */
export const useBroughtFiles = storeCreate<{ files: readonly string[] }>(() => ({ files: [] }));

/** A newer upload is told of instead of the one before. */
export function broughtSet(files: readonly string[]): void {
  if (files.length > 0) useBroughtFiles.setState({ files });
}

export const broughtForget = (): void => useBroughtFiles.setState({ files: [] });
