import { PASSWORD_MIN } from '#contract/session.ts';

/** What a new password has to be, said before it is typed: the server refuses the rest. */
export const PASSWORD_HINT = `At least ${PASSWORD_MIN} characters. Common passwords and passwords based on your email or the product name are not accepted.`;
