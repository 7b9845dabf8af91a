/** The sentences of previews (SPEC 2, 8). */
export const previewTitle = (fileName: string) => `File Preview for: ${fileName}`;
export const WORD = 'Word files do not support previews. Please download the file to view.';
export const otherType = (type: string) => `Preview not yet available for this file type: ${type}`;
export const DOWNLOAD_FAILED = 'The file could not be downloaded. Please try again.';
export const replaced = (fileName: string) => `The newer version of ${fileName} is being read`;
export const badReplacement = (product: string) =>
  `We apologize. ${product} does not support this file type yet.`;
