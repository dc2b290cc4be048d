import { z } from 'zod';
import { ErrorBody } from './errors.ts';
import { PhoneNumber } from './phone.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Shortest and longest password; compared exactly as typed. */
export const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;

/** A password somebody chooses. What is too easy to guess is refused by the server. */
export const Password = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

/** Who is signed in. Built field by field; hashes and tokens can never be part of it. */
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
});
export type SessionUser = z.output<typeof SessionUser>;

/**
 * The answer to a registration. Approved means signed in; otherwise `message` says what happens next.
 * A taken address answers exactly like a fresh one.
 */
export const Registered = z.object({
  username: z.string(),
  role: z.enum(ROLES),
  approved: z.boolean(),
  message: z.string().optional(),
});
export type Registered = z.output<typeof Registered>;

/**
 * A name somebody signs in with. Of the forms that Unicode has for one and the same text the shortest is taken
 * (NFKC), so that nobody can register a name that only a computer tells from another.
 */
const Username = z.string().normalize('NFKC').trim().min(1, 'Enter your email address').max(254);

/**
 * What somebody types as a second factor: six digits of an authenticator app, or a recovery code. Spaces, dashes and the
 * case of letters do not matter. Wrong ones are the server's to refuse.
 */
export const SecondFactor = z.string().max(40, 'Enter 6 digits or a recovery code');

/**
 * `twoFactorToken` is always sent, possibly empty: {@link SecondFactor}. Empty for an account that needs one gets 401
 * `two_factor_required`, whose text contains "2FA token required"; a wrong one 401 `invalid_credentials` with
 * `fields.twoFactorToken`. Both are said after the right password only. The password's length is not checked here: a
 * wrong one is just wrong.
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
  /** From the one-time set-up link of a new installation: makes its bearer the first administrator. */
  setupToken: z.string().min(1).max(100).optional(),
});
export type RegisterPayload = z.output<typeof RegisterPayload>;

/**
 * POST /api/change-password: signs in with a password that has to be replaced, or that its owner wants to replace. An
 * account with a second factor is asked for it as at the sign-in.
 */
export const ChangePasswordPayload = z.strictObject({
  username: LoginPayload.shape.username,
  password: LoginPayload.shape.password,
  newPassword: Password,
  twoFactorToken: SecondFactor.optional(),
});
export type ChangePasswordPayload = z.output<typeof ChangePasswordPayload>;

/**
 * POST /api/step-up, before what a borrowed browser must not do: the password once more, or a {@link SecondFactor} of an
 * account that has one. Wrong is `validation_failed` with `fields.password` or `fields.code`.
 */
export const StepUpPayload = z.union([
  z.strictObject({ password: LoginPayload.shape.password }),
  z.strictObject({ code: SecondFactor.min(1, 'Enter the code') }),
]);
export type StepUpPayload = z.output<typeof StepUpPayload>;

/** GET /api/verify-email/:token. */
export const VerifiedEmail = z.object({ message: z.string() });
export type VerifiedEmail = z.output<typeof VerifiedEmail>;

/** The refusal of a verification link: the usual body, with its text once more as `error`. */
export const EmailNotVerified = ErrorBody.extend({ error: z.string() });
