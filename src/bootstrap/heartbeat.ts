import { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { HeartbeatFile } from '#usecases/repricing/engine/heartbeat-file.ts';
import { now, type Running } from './running.ts';

const FOUND = {
  restore:
    'a backup was put back, or the data was copied here: every marketplace observes, everybody has to sign in',
  rest: 'the engine did not run for more than a day: every marketplace observes',
} as const;

/** How this process notices that its database is a restored backup. */
export function heartbeatOf({ config: { dataDir, databaseUrl }, log }: Running): Heartbeat {
  let isFolderMissed = false;
  return new Heartbeat({
    now,
    file: new HeartbeatFile(dataDir),
    isInFolder: databaseUrl === null,
    onSetback: (setback, knownUntil) =>
      log.warn({ setback, lastAtWork: new Date(knownUntil).toISOString() }, FOUND[setback]),
    onNoFolder: (error) => {
      if (isFolderMissed) return;
      isFolderMissed = true;
      log.warn({ err: error }, `no mark in ${dataDir}: a restored database is noticed less surely`);
    },
  });
}
