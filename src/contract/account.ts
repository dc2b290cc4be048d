import { z } from 'zod';
import { LoginPayload, SecondFactor, SessionUser } from './session.ts';
import { Moment } from './wire.ts';

/** How many recovery codes a set has. */
export const RECOVERY_CODES = 10;

/** Minutes in which a second factor that was begun can be confirmed. */
export const TWO_FACTOR_SETUP_MINUTES = 15;

/** GET /api/account: the own account. Secrets and codes can never be part of it. */
export const Account = z.object({
  profile: SessionUser.omit({ twoFactorEnabled: true }).extend({ createdAt: Moment }),
  twoFactorEnabled: z.boolean(),
  /** Since when; null while it is off. */
  twoFactorSince: Moment.nullable(),
  /** How many recovery codes still work: 0 to {@link RECOVERY_CODES}. */
  recoveryCodesLeft: z.int(),
  /** Whether this server demands a second factor of this account before it arms, touches keys or manages users. */
  twoFactorRequired: z.boolean(),
});
export type Account = z.output<typeof Account>;

const OwnPassword = LoginPayload.shape.password;
const Code = SecondFactor.refine((code) => code.trim() !== '', 'Enter the code');

/** POST /api/account/two-factor/begin. */
export const BeginTwoFactor = z.strictObject({ password: OwnPassword });
export type BeginTwoFactor = z.output<typeof BeginTwoFactor>;

/**
 * A secret for an authenticator app: shown this once, not in force before it is confirmed with a code, and dead after
 * {@link TWO_FACTOR_SETUP_MINUTES} minutes. Beginning again makes another one.
 */
export const TwoFactorBegun = z.object({
  /** 160 bits in base32: 32 letters and digits without spaces, to be typed where no picture can be taken. */
  secret: z.string(),
  /** The same as a link that authenticator apps open: "otpauth://totp/...". */
  otpauthUrl: z.string(),
  /** The link as a QR code: a whole `<svg>` of ours, black on white. */
  qrSvg: z.string(),
  expiresAt: Moment,
});
export type TwoFactorBegun = z.output<typeof TwoFactorBegun>;

/** POST /api/account/two-factor/confirm: the six digits that the app shows. */
export const ConfirmTwoFactor = z.strictObject({ code: Code });
export type ConfirmTwoFactor = z.output<typeof ConfirmTwoFactor>;

/** {@link RECOVERY_CODES} fresh ones, shown this once; the ones before them are dead. Four groups of five: "7K3QM-X2F9D-PA4RT-8WZ5N". */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

/**
 * POST /api/account/two-factor/disable, and /recovery-codes for a new set: the password, and six digits of the app or a
 * recovery code. What is wrong is said by field: `fields.password` or `fields.code` of a `validation_failed`.
 */
export const PasswordAndCode = z.strictObject({ password: OwnPassword, code: Code });
export type PasswordAndCode = z.output<typeof PasswordAndCode>;
