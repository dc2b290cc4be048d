import { z } from 'zod';
import { Moment } from './fields.ts';
import { LoginPayload, SecondFactor, SessionUser } from './session.ts';

/** How many recovery codes a set has. */
export const RECOVERY_CODES = 10;

/** Minutes within which the setup of a second factor must be confirmed. */
export const TWO_FACTOR_SETUP_MINUTES = 15;

/** GET /api/account: the caller's own account. Never contains secrets or codes. */
export const Account = z.object({
  profile: SessionUser.omit({ twoFactorEnabled: true }).extend({
    createdAt: Moment,
    weeklySummary: z.boolean(),
  }),
  twoFactorEnabled: z.boolean(),
  /** When it was turned on; null while it is off. */
  twoFactorSince: Moment.nullable(),
  /** Unused recovery codes: 0 to {@link RECOVERY_CODES}. */
  recoveryCodesLeft: z.int(),
  /**
   * Whether this server requires a second factor of this account before it goes live, edits credentials or
   * manages users.
   */
  twoFactorRequired: z.boolean(),
});
export type Account = z.output<typeof Account>;

const OwnPassword = LoginPayload.shape.password;
const Code = SecondFactor.refine((code) => code.trim() !== '', 'Enter the code');

/** POST /api/account/two-factor/begin. */
export const StartTwoFactor = z.strictObject({ password: OwnPassword });
export type StartTwoFactor = z.output<typeof StartTwoFactor>;

/**
 * A secret for an authenticator app, shown only once. It takes effect when confirmed with a code and expires
 * after {@link TWO_FACTOR_SETUP_MINUTES} minutes. Starting again creates another one.
 */
export const TwoFactorBegun = z.object({
  /** 160 bits in base32: 32 letters and digits without spaces, to enter where a QR code cannot be scanned. */
  secret: z.string(),
  /** The same as a link that opens authenticator apps: "otpauth://totp/...". */
  otpauthUrl: z.string(),
  /** The link as a QR code: a complete `<svg>` made by the server, black on white. */
  qrSvg: z.string(),
  expiresAt: Moment,
});
export type TwoFactorBegun = z.output<typeof TwoFactorBegun>;

/** POST /api/account/two-factor/confirm: the six digits shown by the app. */
export const ConfirmTwoFactor = z.strictObject({ code: Code });
export type ConfirmTwoFactor = z.output<typeof ConfirmTwoFactor>;

/**
 * {@link RECOVERY_CODES} new codes, shown only once; they replace all earlier ones. Four groups of five:
 * "7K3QM-X2F9D-PA4RT-8WZ5N".
 */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

/**
 * POST /api/account/two-factor/disable, and /recovery-codes for a new set: the password, and six digits of the
 * app or a recovery code. Errors are reported by field: `fields.password` or `fields.code` of a
 * `validation_failed`.
 */
export const PasswordAndCode = z.strictObject({ password: OwnPassword, code: Code });
export type PasswordAndCode = z.output<typeof PasswordAndCode>;
