export const KEPT = 'Kept in the data dictionary. An admin can change it there.';
export const NOT_KEPT = 'This choice could not be kept.';
