import type { RefreshedFile } from 'api/types';
import { displayName } from 'lib/file-names';

/** The sentences of the chat panel (SPEC 2, 4, 8). `product` is the product's name. */
export const starting = (product: string) => `Starting ${product} AI processing algorithm`;
export const SEARCHING = 'Searching relevant historical queries to improve speed and accuracy';
export const analyzing = (sources: string) => `Analyzing: ${sources}`;

export const SEND_FAILED = "Sorry, I'm having trouble sending your request. Please try again.";
export const PROCESS_FAILED = "Sorry, I'm having trouble processing your request. Please try again.";
export const LOAD_FAILED = 'Error loading messages. Please try again.';
export const LOADING_THREAD = 'Loading messages for thread...';
export const LOADED = 'Messages loaded!';
export const PATH_FAILED = 'Error matching path.';

export const COPIED = 'Message copied';
export const ECHOED = 'Message echoed';
export const COPY_FAILED = 'The message could not be copied.';

export const PLACEHOLDER = 'Type Your Message';
export const PLACEHOLDER_BUSY = 'Please Wait...';
export const greeting = (name: string) => `Hi ${name}, how can I support you today?`;
export const caution = (product: string) => `${product} can make mistakes. Check important numbers.`;
/** On the chip of the first file that was chosen for a conversation. */
export const onlyFile = (name: string) => `Only ${name}`;
export const STOPPING = 'Stopping...';
export const STOPPED = 'You stopped this answer.';
export const UNANSWERED = 'This question has no answer yet.';

/** What happened to data since a thread was last used, one sentence for each kind of change. */
export function dataChanged(files: readonly RefreshedFile[]): string {
  const named = (kind: RefreshedFile['change']) =>
    files
      .filter(({ change = 'refreshed' }) => change === kind)
      .map(({ file_name }) => displayName(file_name));
  return (['refreshed', 'replaced', 'removed'] as const)
    .map((change) => ({ change, names: named(change) }))
    .filter(({ names }) => names.length > 0)
    .map(({ change, names }) => `Data ${change} since this thread was last used: ${names.join(', ')}`)
    .join('. ');
}

export const ANSWER_READY = 'Answer ready';

/** While one types. */
export const READ_AS = 'Read as';
export const noPlace = (words: readonly string[]) => `Not read: ${words.join(', ')}`;
export const COMPLETIONS = 'What this may become';
export const completionsSaid = (count: number) =>
  `${count === 1 ? '1 suggestion' : `${count} suggestions`}. Down arrow to choose.`;
