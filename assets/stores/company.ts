import type { ChartFormatting } from 'api/types';
import { storeCreate } from './store';

/** A keyword while it is edited; `key` stays with it when its words change. */
export interface Keyword {
  key: number;
  term: string;
  definition: string;
}

/** A new keyword while it is typed. */
export interface KeywordDraft {
  term: string;
  definition: string;
}

export interface FormattingEdit {
  chart_formatting: ChartFormatting;
  colors: readonly string[];
}

/**
 * What is edited in the panels of the company and not yet saved. It outlives the panel, so that looking something up
 * elsewhere costs no words; Submit and Cancel end it. `null` means that nothing was edited.
 */
interface CompanyEdits {
  context: string | null;
  files: Readonly<Record<string, string>>;
  keywords: readonly Keyword[] | null;
  keywordDraft: KeywordDraft;
  formatting: FormattingEdit | null;
}

export const NO_DRAFT: KeywordDraft = { term: '', definition: '' };
const NOTHING: CompanyEdits = {
  context: null,
  files: {},
  keywords: null,
  keywordDraft: NO_DRAFT,
  formatting: null,
};

export const useCompanyEdits = storeCreate<CompanyEdits>(() => NOTHING);

export const contextEdit = (context: string | null): void => useCompanyEdits.setState({ context });
export const keywordsEdit = (keywords: readonly Keyword[] | null): void =>
  useCompanyEdits.setState({ keywords });
export const keywordDraftEdit = (keywordDraft: KeywordDraft): void =>
  useCompanyEdits.setState({ keywordDraft });
export const formattingEdit = (formatting: FormattingEdit | null): void =>
  useCompanyEdits.setState({ formatting });

export function fileContextEdit(file: string, text: string | null): void {
  useCompanyEdits.setState(({ files }) => {
    const { [file]: _old, ...others } = files;
    return { files: text === null ? others : { ...others, [file]: text } };
  });
}

/** For a sign-out. */
export const companyEditsForget = (): void => useCompanyEdits.setState(NOTHING);
