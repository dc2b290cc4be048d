/** SQLSTATE of a failed statement, or the system code of a failed connection; null for every other error. */
export function databaseErrorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // drizzle wraps the driver's error.
  return error.cause === undefined ? null : databaseErrorCode(error.cause);
}

/** Serialization failure, deadlock or lock timeout: the same transaction can succeed when it is retried. */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(databaseErrorCode(error) ?? '');
}

/** The database answers but cannot write: its disk is full or broken, or it is a read-only replica. */
export function isUnwritable(error: unknown): boolean {
  return ['53100', '58030', '25006', 'ENOSPC'].includes(databaseErrorCode(error) ?? '');
}

/** The database is unreachable, full, or ended the connection: the statement itself is not at fault. */
export function isConnectionFailure(error: unknown): boolean {
  const code = databaseErrorCode(error) ?? '';
  return /^(08|25|53|57|58|E[A-Z]{3})/.test(code) || isSerializationFailure(error);
}
