import { z } from 'zod';
import { ErrorBody } from './errors.ts';
import { PhoneNumber } from './phone.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Shortest and longest password; compared exactly as typed. */
export const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;

/** A new password. The server refuses those that are too easy to guess. */
export const Password = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

/** The logged-in user. Built field by field; never contains hashes or tokens. */
export const SessionUser = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  fullName: z.string(),
  phoneNumber: z.string(),
  role: z.enum(ROLES),
  approved: z.boolean(),
  emailVerified: z.boolean(),
  twoFactorEnabled: z.boolean(),
  /** Whether the user has no password, and logs in with the identity provider alone. */
  isProviderOnly: z.boolean(),
});
export type SessionUser = z.output<typeof SessionUser>;

/**
 * The response to a registration. Approved means logged in; otherwise `message` says what happens next. An
 * address that is already registered gets exactly the same response as a new one.
 */
export const Registered = z.object({
  username: z.string(),
  role: z.enum(ROLES),
  approved: z.boolean(),
  message: z.string().optional(),
});
export type Registered = z.output<typeof Registered>;

/**
 * A login name. Normalized to the shortest equivalent Unicode form (NFKC), so that no two accounts have names
 * that look the same but differ in code points.
 */
const Username = z.string().normalize('NFKC').trim().min(1, 'Enter your email address').max(254);

/**
 * A second factor as typed: six digits of an authenticator app, or a recovery code. Spaces, dashes and case do
 * not matter. The server checks whether it is correct.
 */
export const SecondFactor = z.string().max(40, 'Enter 6 digits or a recovery code');

/**
 * `twoFactorToken` is always sent, possibly empty: {@link SecondFactor}. Empty for an account that needs one
 * gets 401 `two_factor_required`, whose text contains "2FA token required"; a wrong one 401
 * `invalid_credentials` with `fields.twoFactorToken`. Both only after the correct password. The length of the
 * password is not checked here: any wrong one gets the same response.
 */
export const LoginPayload = z.strictObject({
  username: Username,
  password: z.string().min(1, 'Enter your password').max(1_024),
  twoFactorToken: SecondFactor,
});
export type LoginPayload = z.output<typeof LoginPayload>;

export const RegisterPayload = z.strictObject({
  username: Username,
  password: Password,
  fullName: z.string().trim().min(1, 'Enter your full name').max(200),
  email: z.email('Enter an email address such as name@example.com').max(254),
  phoneNumber: PhoneNumber,
  /** The one-time setup link of a new installation: its holder becomes the first administrator. */
  setupToken: z.string().min(1).max(100).optional(),
});
export type RegisterPayload = z.output<typeof RegisterPayload>;

/**
 * POST /api/change-password: logs in with a password that must be, or is to be, replaced. An account with a
 * second factor needs it as at login.
 */
export const ChangePasswordPayload = z.strictObject({
  username: LoginPayload.shape.username,
  password: LoginPayload.shape.password,
  newPassword: Password,
  twoFactorToken: SecondFactor.optional(),
});
export type ChangePasswordPayload = z.output<typeof ChangePasswordPayload>;

/** POST /api/forgot-password: a link for a new password is sent to the email address of the account, if there is one. */
export const ForgotPasswordPayload = z.strictObject({ username: Username });
export type ForgotPasswordPayload = z.output<typeof ForgotPasswordPayload>;

/** The same for every name. `sendsEmail` is false on a server that sends none: then an administrator has to help. */
export const PasswordLinkRequested = z.object({ message: z.string(), sendsEmail: z.boolean() });
export type PasswordLinkRequested = z.output<typeof PasswordLinkRequested>;

/** POST /api/reset-password, from the page of that link. An account with a second factor needs it as at login. */
export const ResetPasswordPayload = z.strictObject({
  token: z.string().min(1).max(100),
  newPassword: Password,
  twoFactorToken: SecondFactor.optional(),
});
export type ResetPasswordPayload = z.output<typeof ResetPasswordPayload>;

/**
 * POST /api/step-up, before an action that a borrowed browser must not do: the password again, or a {@link
 * SecondFactor} of an account that has one. Errors are `validation_failed` with `fields.password` or
 * `fields.code`.
 */
export const StepUpPayload = z.union([
  z.strictObject({ password: LoginPayload.shape.password }),
  z.strictObject({ code: SecondFactor.min(1, 'Enter the code') }),
]);
export type StepUpPayload = z.output<typeof StepUpPayload>;

/** GET /api/verify-email/:token. */
export const VerifiedEmail = z.object({ message: z.string() });
export type VerifiedEmail = z.output<typeof VerifiedEmail>;

/** The error of a verification link: the usual body, with its text also as `error`. */
export const EmailNotVerified = ErrorBody.extend({ error: z.string() });
