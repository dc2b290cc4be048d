import { z } from 'zod';
import { Moment } from './fields.ts';
import { Password, ROLES } from './session.ts';

/** An account as administrators see it. Never contains hashes, secrets or tokens. */
export const User = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  fullName: z.string(),
  phoneNumber: z.string(),
  role: z.enum(ROLES),
  approved: z.boolean(),
  emailVerified: z.boolean(),
  twoFactorEnabled: z.boolean(),
  /** After an administrator's reset, until a new password is chosen at the next login. */
  mustChangePassword: z.boolean(),
  /**
   * How the owner gets the verification link: `email` was sent and can be sent again; without a mail server an
   * administrator copies the `link`. Null once the address is verified.
   */
  verifiesBy: z.enum(['email', 'link']).nullable(),
  createdAt: Moment,
});
export type User = z.output<typeof User>;

/** GET /api/users: all users, the oldest account first. */
export const Users = z.array(User);

/** PUT /api/users/:id/reset-password. Its owner must choose another password at the next login. */
export const ResetPassword = z.strictObject({ newPassword: Password });

/** PUT /api/users/:id/role. */
export const ChangeRole = z.strictObject({ role: z.enum(ROLES) });

/** POST /api/users/:id/verification-link: a new link, shown only once; earlier ones stop working. */
export const VerificationLink = z.object({ url: z.url(), expiresAt: Moment });
export type VerificationLink = z.output<typeof VerificationLink>;

/** The response of a call with no other result. */
export const Done = z.object({ message: z.string() });

/** DELETE /api/users/:id. `stoppedJobs`: their waiting and running jobs and imports, which stop. */
export const RemovedUser = Done.extend({ stoppedJobs: z.int() });
export type RemovedUser = z.output<typeof RemovedUser>;
