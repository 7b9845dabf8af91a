/** The shapes of /api/v3 as the screens use them. Nothing here computes but the reading of a permission. */

export type Role = 'user' | 'assistant';

export interface Me {
  username: string;
  email: string;
  name: string;
  organization: string | null;
  role: string;
  /** What the role allows beyond what every member may do. */
  may?: readonly Permission[];
}

export type Permission =
  | 'edit_context'
  | 'edit_dictionary'
  | 'delete_any_file'
  | 'manage_members'
  | 'manage_connections'
  | 'read_usage'
  | 'read_audit_log';

/** Whether the interface offers this; the server decides it anew with each call. */
export function allows(me: Me, what: Permission): boolean {
  return me.may?.includes(what) ?? false;
}

export interface Step {
  label: string;
  detail: string;
}

export type CellValue = string | number | boolean | null;

export interface AnswerColumn {
  name: string;
  /** Stored type: text, integer, decimal, float, boolean, date, datetime, ... */
  type: string;
  /** What the values are: money, percent, count, ... or an empty text. */
  kind: string | null;
  unit: string | null;
  /** The period or date part that the column holds, where the engine says it: month, quarter, weekday, ... */
  grain?: string | null;
}

export interface AnswerTable {
  columns: AnswerColumn[];
  rows: CellValue[][];
  total_rows: number;
}

export interface Headline {
  value: CellValue;
  text: string;
  label: string;
  unit: string | null;
  change: number | null;
  change_text: string | null;
  good_direction: 'up' | 'down' | null;
}

export interface EvidenceSource {
  name: string;
  file_name: string;
  rows: number | null;
  refreshed_at: number | string | null;
}

export interface Evidence {
  sources: EvidenceSource[];
  plan_sentence: string;
  filters: string[];
  definitions: string[];
  joins: string[];
  query: string;
  row_count: number | null;
  notes: string[];
}

export interface Choice {
  label: string;
  question: string;
  /** The keyword of the organization that would settle this choice from now on. */
  keyword?: KeptKeyword | null;
  /** Of a refusal: what an unread word may mean, or a question that comes close and can be answered. */
  kind?: '' | 'meaning' | 'rewrite';
  /** What "Always" would teach the organization; null where the choice cannot be taught. */
  teaches?: string | null;
  /** What its reading comes to, in a few words; "" where that was not computed. */
  figure?: string;
}

export interface KeptKeyword {
  term: string;
  definition: string;
}

export interface AnswerParts {
  status: 'answered' | 'clarify' | 'declined';
  text: string;
  headline: Headline | null;
  table: AnswerTable | null;
  assumptions: string[];
  choices: Choice[];
  follow_ups: string[];
  evidence: Evidence | null;
  steps: Step[];
  seconds: number | null;
  approach: string | null;
  /** The approach in words for people. */
  approach_name?: string | null;
  /** The first step at which this approach parted from the one that was selected when they were compared. */
  parting?: Parting | null;
  /** What a check found out about the answer; null or missing before one. */
  check?: Grounds | null;
  /** What the built-in analyst's reading came to, where a model answered. */
  held?: Held | null;
  /** Names of the language models that were told something for the answer. */
  told_to?: string[];
  /** Why no language model answered that was asked for; empty or missing where one did, or none was. */
  instead?: string;
  /** The proven earlier question that the answer stands on. */
  memory?: { question: string; text: string } | null;
  /** How the question was read; null where nobody said. */
  read_as?: ReadAs | null;
}

/** How the built-in analyst's reading stands to a model's answer. */
export interface Held {
  state: 'same' | 'other';
  /** Another reading in words. */
  text: string;
  /** Whether it can be chosen; missing in answers of before. */
  opens?: boolean;
}

/** What a check found out about an answer: its figures and the reading of its question, told apart. */
export interface Grounds {
  state: 'confirmed' | 'unconfirmed' | 'doubted' | 'disputed';
  /** To be said before the rest. */
  doubts: string[];
  recomputed: string;
  read: string;
}

export type ReadPart = 'figure' | 'group' | 'order' | 'filter' | 'period' | 'files' | 'definition';

/** One part of how a question was read. */
export interface ReadChip {
  key: string;
  part: ReadPart;
  label: string;
  /** Whether the part could have been read otherwise. */
  opens: boolean;
  /** Whether readings that come close differ in it. */
  guessed: boolean;
}

export interface ReadAs {
  chips: ReadChip[];
  /** Characters of the question, from start up to end, that found no place. */
  unread: Span[];
  /** Of a refusal: the word whose meaning is asked for. */
  asked?: Span | null;
}

export interface Span {
  start: number;
  end: number;
}

/** Another reading of one part, with the figure it would give. */
export interface OtherReading {
  key: string;
  label: string;
  figure: string;
  /** What "Always" would teach the organization; null where the choice cannot be taught. */
  teaches: string | null;
}

export interface Parting {
  step: string;
  text: string;
}

export interface MessageFile {
  filename: string;
  mime_type: string;
  encoding: 'base64' | 'plain';
  content: string;
}

export interface RefreshedFile {
  file_name: string;
  time_of_update: number | string;
  /** What happened to it; refreshed where nothing is said. */
  change?: 'refreshed' | 'replaced' | 'removed';
}

export interface MessageMetadata {
  is_thumbs_up: boolean | 'True' | 'False' | null;
  is_selected_assistant: boolean | null;
  is_best_answer: boolean | null;
  consensus_group: string | number | null;
  reasoning_trace: string | null;
}

export interface Message {
  message_id: string;
  run_id: string | null;
  parent_message_id: string | null;
  role: Role;
  content: string;
  type: string;
  message_type: string | null;
  model: string | null;
  created_at: number;
  image_data: string | null;
  since_refreshed_files: RefreshedFile[] | Record<string, RefreshedFile> | null;
  metadata: MessageMetadata;
  output_files: MessageFile[];
  user_specified_files: string[];
  answer: AnswerParts | null;
  children: Message[];
}

export type RunStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** One shape, three roads: poll, load and push carry it. */
export interface RunSnapshot {
  kind?: 'question' | 'validation';
  /** The run whose answer a validation checks. */
  validates?: string | null;
  thread_id: string;
  run_id: string;
  user_message_id: string;
  status: RunStatus;
  step_description: string | null;
  steps: Step[];
  /** The answer's text as far as it is written and its figures were found in the result. */
  text_so_far?: string;
  data_sources_being_accessed: string[] | null;
  started_at: number | null;
  finished_at: number | null;
  error: { message: string; code: string } | string | null;
  messages: Message[] | null;
}

export interface SendReply {
  thread_id: string;
  run_id: string;
  user_message_id: string;
  data_sources_being_accessed: string[] | null;
}

export interface ThreadSummary {
  thread_id: string;
  summary: string;
  updated_at: number | null;
  archived: boolean;
}

export interface LoadedThread {
  thread_id: string;
  status: string;
  messages: Message[];
  since_refreshed_files: RefreshedFile[];
  run: RunSnapshot | null;
  /** A check of one of the thread's answers that is still going on. */
  validation?: RunSnapshot | null;
}

export interface Model {
  id: string;
  name: string;
  provider: string;
  /** False for models that answer at a temperature of their own, whatever is asked. */
  takes_temperature: boolean;
  /** Picked where nobody was; left out by those who list no such. */
  first?: boolean;
}

export type SourceGroup = 'uploaded' | 'spreadsheet' | 'crm';
export type SourceState = 'received' | 'reading' | 'ready' | 'failed';

export interface Source {
  file_name: string;
  display_name: string;
  group: SourceGroup;
  /** Of a sheet: what its workbook is called. */
  workbook?: string | null;
  state: SourceState;
  step: string;
  rows_so_far: number | null;
  rows: number | null;
  columns: number | null;
  size: number | null;
  owner: string | null;
  uploaded_at: number | string | null;
  refreshed_at: number | string | null;
  /** When a newer version took the file's place. */
  replaced_at: number | string | null;
  error: string | null;
  /** Whether what failed may succeed when it is tried again. */
  retryable: boolean;
  /** Made by the product to be tried out; connecting the CRM takes it away. */
  example: boolean;
  report: string[];
  mine: boolean;
}

export interface SourceListing {
  content: string[];
  sources: Source[];
}

export interface UploadError {
  file: string;
  message: string;
  code: string;
}

export interface UploadReply {
  failed_uploads: number;
  sources: Source[];
  errors: UploadError[];
}

export interface ProfileColumn {
  name: string;
  type: string;
  role: string;
  unit: string | null;
  distinct: number | null;
  missing: number | null;
  /** No value stands twice: a likely key. */
  unique: boolean;
  minimum: CellValue;
  maximum: CellValue;
  values: { value: CellValue; count: number }[];
  histogram: number[] | null;
}

export interface ProfileTable {
  name: string;
  rows: number;
  columns: ProfileColumn[];
  sample: { columns: string[]; rows: CellValue[][] };
  connections: TableConnection[];
}

/** A way from a table to another one; `refers` where this table's rows point at the other's. */
export interface TableConnection {
  columns: string[];
  table: string;
  table_columns: string[];
  match_rate: number;
  refers: boolean;
}

export interface SourceProfile {
  source: Source;
  tables: ProfileTable[];
}

export interface AxisFormatting {
  bold: boolean;
  underline: boolean;
  italicize: boolean;
  colors: boolean;
}

export interface ChartFormatting {
  title: AxisFormatting;
  x_axis: AxisFormatting;
  y_axis: AxisFormatting;
  gridlines: { enabled: boolean };
}

export type Theme = 'light' | 'dark';
export type ResponsePreference = 'Standard' | 'Concise' | 'Explanatory';

/** The JSON text `user_preferences`, read. */
export interface Preferences {
  chart_formatting: ChartFormatting;
  keywords: Record<string, string>;
  colors: string[];
  theme: Theme;
  audio: boolean;
  response_preference: ResponsePreference;
}

export interface PreferencesReply {
  explanation: unknown;
  user_preferences: string | null;
}
