import { PASSWORD_MIN } from '#contract/session.ts';

/** The rules for a new password, shown before typing. */
export const PASSWORD_HINT = `At least ${PASSWORD_MIN} characters. Common passwords and passwords based on your email or the product name are not accepted.`;
