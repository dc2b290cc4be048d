/** What is checked, in the order of the report. */
export type CheckName =
  | 'node'
  | 'memory'
  | 'data_folder'
  | 'disk'
  | 'database'
  | 'schema'
  | 'clock'
  | 'engine'
  | 'leases'
  | 'master_key'
  | 'credentials'
  | 'backup'
  | 'backup_schedule'
  | 'public_url';

/** The result of one check. */
export interface Finding {
  readonly check: CheckName;
  /** `error`: Pricewright does not work, or will stop to; `warning`: it does, and something should be done. */
  readonly status: 'ok' | 'warning' | 'error';
  /** What was found and where, as a sentence. */
  readonly message: string;
  /** How to fix it; null when it is ok. */
  readonly fix: string | null;
}

export function ok(check: CheckName, message: string): Finding {
  return { check, status: 'ok', message, fix: null };
}

export function warning(check: CheckName, message: string, fix: string): Finding {
  return { check, status: 'warning', message, fix };
}

export function failure(check: CheckName, message: string, fix: string): Finding {
  return { check, status: 'error', message, fix };
}

/** "3 days", "2 h", "5 min", for times since or until. */
export function lengthOf(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** "9 h old" */
export function ageOf(at: number, now: number): string {
  return at > now ? 'of the future, by a clock that was ahead' : `${lengthOf(now - at)} old`;
}

/** "12.3 GB" */
export function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
