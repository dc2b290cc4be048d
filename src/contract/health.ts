import { z } from 'zod';

/** The process runs and responds. Does not cover the database, which a restart would not fix. */
export const Liveness = z.object({ status: z.literal('ok') });

/** Whether this process should get requests; every false names one thing to check. */
export const Readiness = z.object({
  ready: z.boolean(),
  checks: z.object({
    /** A write reaches the disk of the database. */
    databaseWrite: z.boolean(),
    /** The database has exactly the tables of this release. */
    schema: z.boolean(),
    /** The process is not shutting down. */
    accepting: z.boolean(),
  }),
});
export type Readiness = z.output<typeof Readiness>;
