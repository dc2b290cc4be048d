import { z } from 'zod';

/** The process runs and answers. Says nothing about the database: a restart would not bring that back. */
export const Liveness = z.object({ status: z.literal('ok') });

/** Whether this process should get requests; every false names one thing to look at. */
export const Readiness = z.object({
  ready: z.boolean(),
  checks: z.object({
    /** A write reaches the database's disk. */
    databaseWrite: z.boolean(),
    /** The database has exactly the tables of this release. */
    schema: z.boolean(),
    /** The process is not shutting down. */
    accepting: z.boolean(),
  }),
});
export type Readiness = z.output<typeof Readiness>;
