import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { listings } from './listings.ts';
import { repricingRuns } from './runs.ts';

export const JOB_KINDS = ['import', 'edit_listings', 'apply', 'export'] as const;
export const JOB_STATES = ['queued', 'running', 'done', 'partly_done', 'failed', 'cancelled'] as const;

/** Background work that users can follow. The queue carries its ID; this row holds its progress. */
export const jobs = pgTable(
  'jobs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: JOB_KINDS }).notNull(),
    title: text('title').notNull(),
    state: text('state', { enum: JOB_STATES }).notNull().default('queued'),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    total: integer('total'),
    /** The outcome, as one sentence. */
    summary: text('summary'),
    /** The page with its report. */
    link: text('link'),
    /** What its handler needs to run it, also again after a crash. */
    work: jsonb('work').$type<Readonly<Record<string, unknown>>>().notNull(),
    isCancelWanted: boolean('is_cancel_wanted').notNull().default(false),
    createdById: text('created_by_id'),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** When it was last sent to the queue. */
    sentAt: instant('sent_at'),
    /** How often a process started it: a job that crashes its process every time is given up. */
    attempts: integer('attempts').notNull().default(0),
    /** The run of the prices it changed; null if it changed none yet. */
    runId: bigint('run_id', { mode: 'number' }).references(() => repricingRuns.id, { onDelete: 'restrict' }),
  },
  (t) => [
    index('jobs_created_at_idx').on(t.createdAt),
    index('jobs_open_idx').on(t.id).where(sql`${t.state} in ('queued', 'running')`),
    index('jobs_failed_idx').on(t.endedAt).where(sql`${t.state} = 'failed'`),
    isOneOf(t.kind, JOB_KINDS),
    isOneOf(t.state, JOB_STATES),
    isFilled(t.title, 300),
    isCount(t.done),
    isCount(t.failed),
    isCount(t.total),
    isCount(t.attempts),
    holds('failure_says_why', sql`${t.state} <> 'failed' or ${t.summary} is not null`),
  ],
);

/** Listings that a bulk job skipped. */
export const jobRefusals = pgTable(
  'job_refusals',
  {
    jobId: bigint('job_id', { mode: 'number' })
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** The SKU at that time. */
    sku: text('sku').notNull(),
    message: text('message').notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.listingId] })],
);
