import { z } from 'zod';
import { ALERT_KINDS } from '#domain/alert-kinds.ts';
import { Moment } from './fields.ts';

const AlertFields = z.object({
  id: z.string(),
  kind: z.enum(ALERT_KINDS),
  /** One sentence. Only administrators see why a sync failed and what is wrong with credentials. */
  message: z.string(),
  /** The screen that the alert links to. */
  link: z.string(),
  startedAt: Moment,
  /** Null while the alert is active. */
  endedAt: Moment.nullable(),
});
export type Alert = z.output<typeof AlertFields>;

/**
 * GET /api/alerts, and the response to POST /api/alerts/seen: active alerts, then those that ended within 24
 * hours. At most 50.
 */
export const Alerts = z
  .object({
    /** Active alerts that the caller has not seen yet. */
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
