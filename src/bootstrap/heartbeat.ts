import { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { HeartbeatFile } from '#usecases/repricing/engine/heartbeat-file.ts';
import { now, type Running } from './running-program.ts';

const FOUND = {
  restored_backup: 'database restored or copied: all marketplaces set to recommend only, all sessions ended',
  downtime: 'engine did not run for more than a day: all marketplaces set to recommend only',
} as const;

/** Detects that this process's database is a restored backup. */
export function heartbeatOf({ config: { dataDir, databaseUrl }, log }: Running): Heartbeat {
  let isFolderMissed = false;
  return new Heartbeat({
    now,
    file: new HeartbeatFile(dataDir),
    isInFolder: databaseUrl === null,
    onRollback: (rollback, knownUntil) =>
      log.warn({ rollback, lastAtWork: new Date(knownUntil).toISOString() }, FOUND[rollback]),
    onNoFolder: (error) => {
      if (isFolderMissed) return;
      isFolderMissed = true;
      log.warn({ err: error }, `no heartbeat file in ${dataDir}: a restored database may not be detected`);
    },
  });
}
