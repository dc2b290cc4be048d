import pg from 'pg';
import { connectionConfig } from './client.ts';

/** First half of the key of every job lock; the second is the ID of the job. */
export const JOB_LOCKS = 1_786_209_107;

/** Lock of a job that this process is running. The database releases it when the process dies. */
export interface JobLock {
  /** True once the connection that holds the lock is lost: another process may have started the job. */
  isLost(): boolean;
  release(): Promise<void>;
}

/**
 * Acquires the lock of a job on a connection of its own.
 * @returns null while another process, or this one, holds it
 */
export async function lockJob(url: string, jobId: number): Promise<JobLock | null> {
  const client = new pg.Client(connectionConfig(url, 'pricewright-job'));
  let lost = false;
  const lose = (): void => {
    lost = true;
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
    JOB_LOCKS,
    jobId,
  ]);
  if (rows[0]?.taken === true) return { isLost: () => lost, release: () => client.end() };
  await client.end();
  return null;
}
