/** SPEC 2, /login. */
export const SIGN_IN_FAILED = 'Issues signing in. Please check your login credentials and try again.';
export const LOGGING_IN = 'Logging in...';

/** SPEC 5, /forgot-password. */
export const EMAIL_INCORRECT = 'Incorrect Email Formatting. Please check your email and try again.';
export const CODE_NOT_SENT = 'The code could not be requested. Please wait a moment and try again.';

/** SPEC 5, /verify. */
export const VERIFICATION_FAILED = 'Verification Failed. Please check your code and try again.';
export const CODE_OVER = 'This code can no longer be used. Please request a new one.';

/** SPEC 5, /change-password and /create-password. */
export const PASSWORD_HINT =
  'Use one uppercase letter, one lowercase letter, one number, one special character, and make it longer than 8 characters.';
export const PASSWORD_FAILED = 'Password Change Failed, Please make sure your passwords match and try again.';
export const CHALLENGE_OVER =
  'This took too long. Please log in with your temporary password again, then choose your own.';

/** SPEC 2, /create-password. */
export const NO_USERNAME = 'Please choose a username.';
export const NO_PASSWORD = 'Please choose a password.';
export const PASSWORDS_DIFFER = 'Please make sure your passwords match and try again.';
export const INVITATION_OVER = 'This invitation is no longer valid. Please ask for a new one.';
export const NOT_CREATED = 'The account could not be created. Please try again.';

export const WORKING = 'Submitting...';
