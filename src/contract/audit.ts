import { z } from 'zod';
import { AUDIT_GROUPS } from '#domain/audit-actions.ts';
import { Id, Moment, sizeParam } from './fields.ts';

export const AUDIT_PAGE_SIZES = [25, 50, 100] as const;

/** Filters of the audit log; all of them must match. */
export const AuditFilter = z.strictObject({
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('A part of the name of who acted, or of what it was done to: a user, a SKU, a title, a rule'),
  who: z.string().max(254).optional().describe('The whole name of who acted'),
  group: z.enum(AUDIT_GROUPS).optional(),
  kind: z.string().max(40).optional().describe('What it was done to: "user", "listing", "rule"'),
  target: z.string().max(300).optional().describe('The number or the code of that; needs kind'),
  from: Moment.optional().describe('From this moment on'),
  to: Moment.optional().describe('Before this moment'),
});
export type AuditFilter = z.output<typeof AuditFilter>;

/** A position in the list: timestamp and ID of a row. */
const Cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[1-9]\d{0,14}$/, 'Expected a cursor')
  .refine((text) => Moment.safeParse(text.split('_', 1)[0]).success, 'Expected a cursor');

/** Newest first. `older` and `newer` of a response lead to the adjacent pages; without either, the newest rows. */
export const AuditQuery = AuditFilter.extend({
  before: Cursor.optional().describe('`older` of an answer'),
  after: Cursor.optional().describe('`newer` of an answer'),
  size: sizeParam(AUDIT_PAGE_SIZES, 50),
});
export type AuditQuery = z.output<typeof AuditQuery>;

const Values = z.record(z.string(), z.unknown());

export const AuditRow = z.object({
  id: Id,
  at: Moment,
  /** Null when no user was logged in. */
  actor: z.string().nullable(),
  actorId: z.string().nullable(),
  /** The name of the API token that it was done with; null without one. */
  token: z.string().nullable(),
  /** "user.approved"; may be an action of another release. */
  action: z.string(),
  group: z.enum(AUDIT_GROUPS).nullable(),
  /** "boss@example.com approved ann@example.com." */
  sentence: z.string(),
  target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }).nullable(),
  before: Values.nullable(),
  after: Values.nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});
export type AuditRow = z.output<typeof AuditRow>;

export const AuditPage = z.object({
  rows: z.array(AuditRow),
  older: z.string().nullable(),
  newer: z.string().nullable(),
});
export type AuditPage = z.output<typeof AuditPage>;

/** GET /api/audit/people: every user in the log, by name. */
export const AuditPeople = z.object({ people: z.array(z.string()) });
