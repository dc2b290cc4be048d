import type { ErrorCode, NotRepriceableReason } from '#contract/errors.ts';

type Details = {
  /** Whole seconds until the same call can succeed. */
  readonly retryAfterSeconds?: number;
  /** Message per field of the request. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Of `not_repriceable`: what has to be confirmed. */
  readonly reasons?: readonly NotRepriceableReason[];
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
  readonly reasons: readonly NotRepriceableReason[] | null;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.fields = details.fields ?? null;
    this.reasons = details.reasons ?? null;
  }
}
