import pg from 'pg';
import { connectionConfig } from './client.ts';

/** The first half of the key of every such lock; the second is the number of the job. */
export const JOB_LOCKS = 1_786_209_107;

/** A job that this process is running. The database takes the lock back by itself when the process dies. */
export interface JobLock {
  /** True once the connection behind the lock is gone: another process may have taken the job over. */
  isLost(): boolean;
  release(): Promise<void>;
}

/**
 * Takes the lock of a job on a connection of its own.
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
