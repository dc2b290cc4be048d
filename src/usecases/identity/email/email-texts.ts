import type { Mail } from './mailer.ts';

type MailText = Omit<Mail, 'to'>;

/**
 * Mails without a secret. None holds a name that somebody typed: whoever registers a stranger's address must not
 * choose what the stranger reads.
 */
export const PLAIN_MAILS = {
  address_taken: (home) => ({
    subject: 'You already have a Pricewright account',
    text: `Somebody tried to register at ${home} with this address, which has an account already.

If it was you, log in instead: ${home}/auth
If you forgot your password, ask your administrator to reset it.
If it was not you, there is nothing to do: nobody got in.`,
  }),
  approved: (home) => ({
    subject: 'Your Pricewright account is approved',
    text: `An administrator has approved your account.

Log in here: ${home}/auth`,
  }),
  password_reset: (home) => ({
    subject: 'Your Pricewright password was reset',
    text: `An administrator has reset the password of your account at ${home}, and every browser was logged out.

Log in with the password your administrator tells you. You will be asked to choose a new one.
If you did not expect this, ask your administrator.`,
  }),
  two_factor_disabled: (home) => ({
    subject: 'Two-factor authentication was switched off',
    text: `An administrator has switched off two-factor authentication for your account at ${home}, and every browser was
logged out. Your password alone opens it now.

If you did not expect this, tell your administrator at once.`,
  }),
  two_factor_enabled: (home) => ({
    subject: 'Two-factor authentication was switched on',
    text: `From now on, logging in to your account at ${home} also asks for a code of your authenticator app. Every other
browser was logged out.

Keep the recovery codes apart from your phone: each of them stands in for a code once.
If it was not you, tell your administrator at once.`,
  }),
  two_factor_turned_off: (home) => ({
    subject: 'Two-factor authentication was switched off',
    text: `Two-factor authentication was switched off for your account at ${home}, with your password and a code, and every
other browser was logged out. Your password alone opens it now.

If it was not you, change your password and tell your administrator at once.`,
  }),
  recovery_code_used: (home) => ({
    subject: 'A recovery code of your Pricewright account was used',
    text: `A recovery code has just stood in for your authenticator app at ${home}. It does not work again.

If your app is lost, turn two-factor authentication off and set it up anew under Account & security.
If it was not you, change your password and tell your administrator at once.`,
  }),
  recovery_codes_replaced: (home) => ({
    subject: 'Your Pricewright recovery codes were replaced',
    text: `A new set of recovery codes was made for your account at ${home}. The codes before it do not work any more.

If it was not you, change your password and tell your administrator at once.`,
  }),
} as const satisfies Record<string, (home: string) => MailText>;

export type MailName = keyof typeof PLAIN_MAILS | 'verify_email';

/** @param link works once and for 24 hours */
export function verificationMail(home: string, link: string): MailText {
  return {
    subject: 'Verify your email address for Pricewright',
    text: `Somebody, hopefully you, registered with this address at ${home}.

Open this link to verify it. It works for 24 hours:

${link}

Then an administrator approves your account, and you can log in.
If it was not you, ignore this mail: without the link the account cannot be used.`,
  };
}
