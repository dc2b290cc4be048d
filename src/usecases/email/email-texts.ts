import type { Email } from './mailer.ts';

type EmailText = Omit<Email, 'to'>;

/**
 * Emails without a secret. None contains a name that a user entered: a stranger who registers an address must not
 * choose what its owner reads.
 */
export const PLAIN_EMAILS = {
  address_taken: (home) => ({
    subject: 'You already have a Pricewright account',
    text: `Someone tried to register at ${home} with this email address, which already has an account.

If this was you, log in instead: ${home}/auth
If you forgot your password, choose a new one: ${home}/reset-password
If this wasn't you, no action is needed: your account was not accessed.`,
  }),
  approved: (home) => ({
    subject: 'Your Pricewright account is approved',
    text: `An administrator approved your account.

Log in here: ${home}/auth`,
  }),
  account_linked: (home) => ({
    subject: 'Your Pricewright account has another login',
    text: `Your account at ${home} can now also be opened with the identity provider there: someone with your email address logged in with it.

If this wasn't you, contact your administrator immediately.`,
  }),
  password_reset: (home) => ({
    subject: 'Your Pricewright password was reset',
    text: `An administrator reset the password of your account at ${home}, and every browser was logged out.

Log in with the password from your administrator. You will be asked to choose a new one.
If you did not expect this, ask your administrator.`,
  }),
  password_chosen: (home) => ({
    subject: 'Your Pricewright password was changed',
    text: `The password of your account at ${home} was changed with the link from an email, and every browser was logged
out.

If this wasn't you, contact your administrator immediately, and change the password of your mailbox.`,
  }),
  two_factor_disabled: (home) => ({
    subject: 'Two-factor authentication was turned off',
    text: `An administrator turned off two-factor authentication for your account at ${home}, and every browser was
logged out. You now log in with your password only.

If you did not expect this, contact your administrator immediately.`,
  }),
  two_factor_enabled: (home) => ({
    subject: 'Two-factor authentication was turned on',
    text: `Logging in to your account at ${home} now also requires a code from your authenticator app. Every other
browser was logged out.

Keep your recovery codes somewhere other than your phone. Each works once in place of an app code.
If this wasn't you, contact your administrator immediately.`,
  }),
  two_factor_turned_off: (home) => ({
    subject: 'Two-factor authentication was turned off',
    text: `Two-factor authentication was turned off for your account at ${home}, with your password and a code, and every
other browser was logged out. You now log in with your password only.

If this wasn't you, change your password and contact your administrator immediately.`,
  }),
  recovery_code_used: (home) => ({
    subject: 'A recovery code was used for your Pricewright account',
    text: `A recovery code was used to log in to your account at ${home}. Each code works once.

If you lost your app, turn two-factor authentication off and set it up again under Account & security.
If this wasn't you, change your password and contact your administrator immediately.`,
  }),
  recovery_codes_replaced: (home) => ({
    subject: 'Your Pricewright recovery codes were replaced',
    text: `New recovery codes were created for your account at ${home}. The earlier codes no longer work.

If this wasn't you, change your password and contact your administrator immediately.`,
  }),
} as const satisfies Record<string, (home: string) => EmailText>;

export type EmailName = keyof typeof PLAIN_EMAILS | 'verify_email' | 'password_link';

/** @param link works once and for 24 hours */
export function verificationEmail(home: string, link: string): EmailText {
  return {
    subject: 'Verify your email address for Pricewright',
    text: `This email address was used to register at ${home}.

Open this link to verify it. It works for 24 hours:

${link}

After an administrator approves your account, you can log in.
If this wasn't you, ignore this email: without the link, the account cannot be used.`,
  };
}

/** @param link works once and for an hour */
export function passwordLinkEmail(home: string, link: string): EmailText {
  return {
    subject: 'Choose a new password for Pricewright',
    text: `A new password was requested for your account at ${home}.

Open this link to choose one. It works once, for an hour:

${link}

If this wasn't you, no action is needed: without the link, your password stays as it is.`,
  };
}
