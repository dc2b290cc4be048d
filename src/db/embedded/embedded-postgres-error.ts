/** What can prevent the embedded PostgreSQL from running; each has its own fix. */
export type EmbeddedPostgresCode =
  | 'unsupported_platform'
  | 'no_binaries'
  | 'no_account'
  | 'wrong_owner'
  | 'wrong_version'
  | 'data_missing'
  | 'data_unusable'
  | 'conflict'
  | 'disk_full'
  | 'start_failed';

/** One sentence for the terminal: what happened, where, and how to fix it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresCode;

  constructor(code: EmbeddedPostgresCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The fix that always works. */
export const OR_DATABASE_URL = 'or set DATABASE_URL to your own PostgreSQL 15 or later';

/** True for a failed system call of one of these kinds, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codes.includes(code);
}

/** @param folder on the disk in question */
export function diskFull(folder: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'disk_full',
    `The disk that holds ${folder} is full: free some space and start again (no saved data is lost), ${OR_DATABASE_URL}.`,
    { cause },
  );
}
