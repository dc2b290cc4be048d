import { z } from 'zod';
import { Moment, Money } from './fields.ts';

/** A line of a rule and what became of it for one listing. */
export const TracedLine = z.object({
  /** From 1. */
  line: z.int(),
  text: z.string(),
  /** `not_asked`: a line above it decided, or the listing has no price. */
  status: z.enum(['decided', 'not_read', 'condition', 'unknown', 'resting', 'too_low', 'not_asked']),
  /** The condition that does not hold, or asks about something unknown; null where it is the price. */
  condition: z.string().nullable(),
  /** What that condition found; null where it is not known. */
  value: z.string().nullable(),
  /** The price it asks for, and the lowest one it may ask for. */
  want: Money.nullable(),
  least: Money.nullable(),
  restsUntil: Moment.nullable(),
});
export type TracedLine = z.output<typeof TracedLine>;
