import { z } from 'zod';
import { Moment } from './fields.ts';
import { RegisterPayload } from './session.ts';

/** A logged-in browser or program. Never contains tokens or their hashes. */
export const Session = z.object({
  id: z.string(),
  startedAt: Moment,
  /** Time of the last request, to the minute. */
  lastSeenAt: Moment,
  /** Where it logged in from; null when unknown. */
  address: z.string().nullable(),
  /** Such as "Firefox on Windows"; null when the browser does not say. */
  client: z.string().nullable(),
  /** The session of this request. */
  isCurrent: z.boolean(),
});
export type Session = z.output<typeof Session>;

/** GET /api/sessions and GET /api/users/:id/sessions: the current one first, then the most recently used. */
export const Sessions = z.array(Session);

/** How many sessions a call has ended; those that had ended before do not count. */
export const SessionsEnded = z.object({ ended: z.int().nonnegative() });
export type SessionsEnded = z.output<typeof SessionsEnded>;

/**
 * PUT /api/account/profile: what users may change on their own account. Checked like a registration. Without
 * `phoneNumber` or `weeklySummary` the stored one stays, even if it predates the current checks.
 */
export const EditProfile = z.strictObject({
  fullName: RegisterPayload.shape.fullName,
  phoneNumber: RegisterPayload.shape.phoneNumber.optional(),
  /** Whether an email about the week is wanted on Mondays. */
  weeklySummary: z.boolean().optional(),
});
export type EditProfile = z.output<typeof EditProfile>;
