import type { ErrorCode } from '#contract/errors.ts';

type Details = {
  /** Whole seconds until the same call can succeed. */
  readonly retryAfterSeconds?: number;
  /** Message per field of the request. */
  readonly fields?: Readonly<Record<string, string>>;
};

/**
 * An error that the caller can act on; its message is shown to users. Everything else that is thrown is a bug or an
 * outage.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | null;
  readonly fields: Readonly<Record<string, string>> | null;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.fields = details.fields ?? null;
  }
}
