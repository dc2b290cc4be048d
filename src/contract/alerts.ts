import { z } from 'zod';
import { ALERT_KINDS } from '#domain/alert-kinds.ts';
import { Moment } from './wire.ts';

const AlertFields = z.object({
  id: z.string(),
  kind: z.enum(ALERT_KINDS),
  /** One sentence. Only administrators see why a sync failed and what is wrong with credentials. */
  message: z.string(),
  /** The screen to look at. */
  link: z.string(),
  startedAt: Moment,
  /** Null while it lasts. */
  endedAt: Moment.nullable(),
});
export type Alert = z.output<typeof AlertFields>;

/** GET /api/alerts, and the answer to POST /api/alerts/seen: what lasts, then what was over within a day. At most 50. */
export const Alerts = z
  .object({
    /** Alerts that last and that the caller has not looked at yet. */
    unseen: z.int(),
    alerts: z.array(AlertFields),
  })
  .meta({
    example: {
      unseen: 1,
      alerts: [
        {
          id: '12',
          kind: 'below_floor',
          link: '/listings?state=below_floor',
          message: '7 listings are priced below their margin floor.',
          startedAt: '2026-11-21T12:00:00.000Z',
          endedAt: null,
        },
      ],
    },
  });
export type Alerts = z.output<typeof Alerts>;
