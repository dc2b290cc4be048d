import { z } from 'zod';
import { RegisterPayload } from './session.ts';
import { Moment } from './wire.ts';

/** A browser or program that is signed in. Tokens and their hashes can never be part of it. */
export const Session = z.object({
  id: z.string(),
  startedAt: Moment,
  /** Of the last request, to the minute. */
  lastSeenAt: Moment,
  /** Where it signed in from; null when that was not known. */
  address: z.string().nullable(),
  /** Such as "Firefox on Windows"; null when the browser does not say. */
  client: z.string().nullable(),
  /** The one that asks. */
  isCurrent: z.boolean(),
});
export type Session = z.output<typeof Session>;

/** GET /api/sessions and GET /api/users/:id/sessions: the current one first, then the one used last. */
export const Sessions = z.array(Session);

/** How many sessions a call has ended; those that were over already do not count. */
export const SessionsEnded = z.object({ ended: z.int().nonnegative() });
export type SessionsEnded = z.output<typeof SessionsEnded>;

/**
 * PUT /api/account/profile: what people may change of their own account. Held to the rules of the registration. Without
 * `phoneNumber` the stored one stays, also when it is older than these rules and would not be taken today.
 */
export const EditProfile = z.strictObject({
  fullName: RegisterPayload.shape.fullName,
  phoneNumber: RegisterPayload.shape.phoneNumber.optional(),
});
export type EditProfile = z.output<typeof EditProfile>;
