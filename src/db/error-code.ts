/** SQLSTATE of a failed statement, or the system's code of a failed connection; null for everything else. */
export function databaseErrorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // drizzle wraps what the driver threw.
  return error.cause === undefined ? null : databaseErrorCode(error.cause);
}

/** Somebody else was faster: the same transaction can succeed when it is begun anew. */
export function isSuperseded(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(databaseErrorCode(error) ?? '');
}

/** The database answers and takes nothing in: its disk is full or broken, or it is a copy that others write to. */
export function isUnwritable(error: unknown): boolean {
  return ['53100', '58030', '25006', 'ENOSPC'].includes(databaseErrorCode(error) ?? '');
}

/** The database is away, full, or ended the connection: nothing is wrong with what was asked. */
export function isConnectionFailure(error: unknown): boolean {
  const code = databaseErrorCode(error) ?? '';
  return /^(08|25|53|57|58|E[A-Z]{3})/.test(code) || isSuperseded(error);
}
