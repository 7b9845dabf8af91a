import { storeCreate } from './store';

/** The files a question is to be answered from; none means that the product chooses. */
export const useContextFiles = storeCreate<{ files: readonly string[] }>(() => ({ files: [] }));

export const contextFilesSet = (files: readonly string[]): void => useContextFiles.setState({ files });

export function contextFileRemove(file: string): void {
  useContextFiles.setState(({ files }) => ({ files: files.filter((name) => name !== file) }));
}
