import { z } from 'zod';
import { Password, ROLES } from './session.ts';
import { Moment } from './wire.ts';

/** An account as administrators see it. Hashes, secrets and tokens can never be part of it. */
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
  /** After an administrator's reset, until a new password is chosen at the next sign-in. */
  mustChangePassword: z.boolean(),
  /**
   * How the verification link gets to its owner: `mail` was sent and can be sent again; without a mail server an
   * administrator copies the `link`. Null once the address is verified.
   */
  verifiesBy: z.enum(['mail', 'link']).nullable(),
  createdAt: Moment,
});
export type User = z.output<typeof User>;

/** GET /api/users: everybody, the oldest account first. */
export const Users = z.array(User);

/** PUT /api/users/:id/reset-password. Its owner has to choose another one at the next sign-in. */
export const ResetPassword = z.strictObject({ newPassword: Password });

/** PUT /api/users/:id/role. */
export const ChangeRole = z.strictObject({ role: z.enum(ROLES) });

/** POST /api/users/:id/verification-link: a fresh link, shown once; the ones before it are dead. */
export const VerificationLink = z.object({ url: z.url(), expiresAt: Moment });
export type VerificationLink = z.output<typeof VerificationLink>;

/** The answer to what leaves nothing to show. */
export const Done = z.object({ message: z.string() });

/** DELETE /api/users/:id. `stoppedJobs`: jobs and imports of theirs that waited or ran, and stop. */
export const RemovedUser = Done.extend({ stoppedJobs: z.int() });
export type RemovedUser = z.output<typeof RemovedUser>;
