export const KEPT = 'Kept in the data dictionary. An admin can change it there.';
