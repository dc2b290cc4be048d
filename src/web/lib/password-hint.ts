import { PASSWORD_MIN } from '#contract/session.ts';

/** What a new password has to be, said before it is typed: the server refuses the rest. */
export const PASSWORD_HINT = `At least ${PASSWORD_MIN} characters. Common passwords, and those made of your e-mail name or the product's, are refused.`;
