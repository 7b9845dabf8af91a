export const KEPT = 'Kept in the data dictionary. An admin can change it there.';
export const NOT_KEPT = 'This choice could not be kept.';
export const NONE_OF_THESE = 'None of these';

/** What helps where none of the choices is meant: the question stands in the composer, the unread word selected. */
export const rewordHint = (word: string | null, teaches: boolean): string =>
  word === null
    ? 'Your question is in the message box. It helps to name the figure you want, and what to group or filter it by.'
    : `Your question is in the message box with “${word}” selected. Put the name of a column or a stored value in its place, or ${teaches ? 'say' : 'ask an admin to say'} in Manage Data what “${word}” means: preview the file, What it means, Also called.`;
