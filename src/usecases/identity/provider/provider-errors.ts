import type { ProviderFailure } from '#connectors/identity-provider.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#usecases/app-error.ts';

/** Why a person is not let in although the provider knows them. */
export type AdmissionProblem =
  | 'email_missing'
  | 'email_not_verified'
  | 'groups_missing'
  | 'not_in_group'
  | 'no_account'
  | 'linking_off'
  | 'account_waits'
  | 'linked_to_another'
  | 'removed'
  | 'factor_missing'
  | 'changed_concurrently'
  | 'settings_changed';

/** `label` is the provider's name on the button. */
type Wording = { readonly code: ErrorCode; readonly text: (label: string) => string };

const ASK = 'Ask an administrator of Pricewright';

const FAILURES: Readonly<Record<ProviderFailure, Wording>> = {
  unreachable: {
    code: 'unavailable',
    text: (label) =>
      `${label} cannot be reached at the moment. Try again later, or log in with your password if you have one.`,
  },
  not_a_provider: {
    code: 'unavailable',
    text: (label) => `${label} does not answer as an identity provider. ${ASK} to test it in Settings.`,
  },
  other_issuer: {
    code: 'unavailable',
    text: (label) => `${label} has another address as its issuer. ${ASK} to test it in Settings.`,
  },
  insecure: {
    code: 'unavailable',
    text: (label) => `${label} uses an address without https. ${ASK} to test it in Settings.`,
  },
  unsupported: {
    code: 'unavailable',
    text: (label) => `${label} offers no login that Pricewright accepts. ${ASK} to test it in Settings.`,
  },
  client_refused: {
    code: 'unavailable',
    text: (label) =>
      `${label} does not accept Pricewright. ${ASK} to check client ID, client secret and redirect address.`,
  },
  declined: {
    code: 'not_allowed',
    text: (label) => `The login at ${label} was declined. Log in again, or ask for access there.`,
  },
  code_refused: {
    code: 'conflict',
    text: (label) => `The login at ${label} was used already or took too long. Log in again.`,
  },
  not_trusted: {
    code: 'not_allowed',
    text: (label) =>
      `The response of ${label} failed a security check. Log in again. If it happens again, ask an administrator of Pricewright to compare issuer, client ID and the clocks of both servers.`,
  },
  failed: {
    code: 'unavailable',
    text: (label) => `${label} reported an error. Try again later, or ask an administrator of Pricewright.`,
  },
};

const PROBLEMS: Readonly<Record<AdmissionProblem, Wording>> = {
  email_missing: {
    code: 'not_allowed',
    text: (label) =>
      `${label} sent no email address. ${ASK} to add the scope "email", or to check your profile there.`,
  },
  email_not_verified: {
    code: 'not_allowed',
    text: (label) => `${label} has not verified your email address. Verify it there, then log in again.`,
  },
  groups_missing: {
    code: 'not_allowed',
    text: (label) => `${label} did not send your groups. ${ASK} to check the groups claim in Settings.`,
  },
  not_in_group: {
    code: 'not_allowed',
    text: (label) => `You are in no group at ${label} that may use Pricewright. Ask for access there.`,
  },
  no_account: {
    code: 'not_allowed',
    text: () =>
      'There is no account with your email address. Register with it, or ask an administrator for an account.',
  },
  linking_off: {
    code: 'not_allowed',
    text: (label) =>
      `There is an account with your email address, and accounts are not linked automatically. Log in with your password, or ask an administrator of Pricewright to allow it for ${label}.`,
  },
  account_waits: {
    code: 'not_approved',
    text: () =>
      'There is an account with your email address that is not verified and approved yet. Ask an administrator of Pricewright to approve or reject it, then log in again.',
  },
  linked_to_another: {
    code: 'not_allowed',
    text: (label) =>
      `The account with your email address is linked to another person at ${label}. Ask an administrator of Pricewright to end that link with "pricewright users unlink" if it is you.`,
  },
  removed: {
    code: 'not_allowed',
    text: () =>
      'Your account was removed. To come back, register again with your email address and wait for approval.',
  },
  factor_missing: {
    code: 'not_allowed',
    text: (label) =>
      `Your account has two-factor authentication, and ${label} reported none for this login. Log in with your password and code.`,
  },
  changed_concurrently: {
    code: 'conflict',
    text: () => 'Your account was changed at the same time. Log in again.',
  },
  settings_changed: {
    code: 'conflict',
    text: () => 'The settings of the login were changed at the same time. Log in again.',
  },
};

/** The error for a person whose login failed at the provider. */
export function providerError(reason: ProviderFailure, label: string): AppError {
  const { code, text } = FAILURES[reason];
  return new AppError(code, text(label));
}

/** The error for a person who is not let in. */
export function admissionError(problem: AdmissionProblem, label: string): AppError {
  const { code, text } = PROBLEMS[problem];
  return new AppError(code, text(label));
}
