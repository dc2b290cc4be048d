import { EmbeddedPostgresError, hasCode } from '#db/embedded/embedded-postgres-error.ts';
import { SchemaError } from '#db/migration-files.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';

/** An error that the operator can fix: the message says how. */
export class StartError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** One sentence that the operator can act on; null for a bug, which is shown in full. */
export function sentenceOf(error: unknown): string | null {
  const full = fullDisk(error);
  if (full !== null) {
    return `A disk is full (${full}): free some space and start again. Nothing that was saved is lost.`;
  }
  const isPlain = [StartError, EmbeddedPostgresError, SchemaError, SecretError].some(
    (kind) => error instanceof kind,
  );
  return isPlain && error instanceof Error ? error.message : null;
}

/**
 * The message of the system, or PostgreSQL's 53100, for a full disk, however deep it is wrapped; null for other errors.
 */
function fullDisk(error: unknown): string | null {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error)) return null;
  return hasCode(error, 'ENOSPC', 'EDQUOT', '53100') ? error.message : fullDisk(error.cause);
}
