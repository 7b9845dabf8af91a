/** The sentences of the company's panels (SPEC 2, 8). */
export const COMPANY_FAILED = 'Failed to update company information';
export const COMPANY_SAVED = 'Company information updated';
export const KEYWORDS_FAILED = 'Failed to update keywords';
export const KEYWORDS_SAVED = 'Keywords updated';
export const KEYWORD_KEPT = 'Kept as a keyword of your organization';
export const FORMATTING_FAILED = 'Failed to update chart formatting';
export const FORMATTING_SAVED = 'Chart formatting updated';
export const fileTitle = (file: string) => `Edit Context for ${file}`;
export const fileLoadFailed = (file: string) => `Failed to load context for ${file}`;
export const fileSaveFailed = (file: string) => `Failed to update context for ${file}`;
export const fileSaved = (file: string) => `Context for ${file} updated`;
export const knownTerm = (term: string) => `${term} is already a keyword. Edit its definition below.`;
export const NO_TERM = 'Which word does this define?';
export const NO_DEFINITION = 'A keyword needs a definition.';
/** Where the organization has decided that its admins keep this (PRODUCT, who may do what). */
export const ADMINS_ONLY = 'Only an admin of your organization may edit this.';
