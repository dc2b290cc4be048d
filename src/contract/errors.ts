import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** Every error code the server returns, and its status. A code without a status does not compile. */
export const ERROR_STATUS = {
  bad_request: 400,
  validation_failed: 400,
  not_signed_in: 401,
  invalid_credentials: 401,
  /** The API token that was sent is unknown or was revoked. */
  token_invalid: 401,
  token_expired: 401,
  two_factor_required: 401,
  not_allowed: 403,
  not_approved: 403,
  not_verified: 403,
  cross_site: 403,
  step_up_required: 403,
  /** The API token has another scope than this call needs. */
  scope_missing: 403,
  /** No API token can do this, whatever its scopes. */
  not_for_tokens: 403,
  /** This server requires a second factor of its administrators, and this one has none yet. */
  two_factor_missing: 403,
  /** The password was correct but must be replaced: POST /api/change-password. */
  password_change_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  /**
   * Repricing is halted: confirm with `whileHalted` (the time of the halt is in `fields`) to perform this one
   * action anyway.
   */
  halted: 409,
  /**
   * Marketplaces set the prices of these listings now, or run a sale: confirm with `despiteReasons` (every `reason` in
   * `reasons`) to change them anyway.
   */
  not_repriceable: 409,
  /** The signature of a message does not fit its bytes; eBay expects this status for it. */
  invalid_signature: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  /** The Host header of the request is not a name of this server. */
  wrong_host: 421,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Why prices must not be changed from here now. */
export const NotRepriceableReason = z.object({
  marketplace: z.enum(MARKETPLACES),
  /** One sentence: what `despiteReasons` confirms. */
  reason: z.string(),
  /** When it ends for the last of its listings; null where the marketplace does not report it for all. */
  until: z.string().nullable(),
  listings: z.int(),
  /** The first of its listings. */
  skus: z.array(z.string()),
  /** A confirmed price is sent; else the marketplace is asked right before, and stops it while this lasts. */
  isSent: z.boolean(),
});
export type NotRepriceableReason = z.output<typeof NotRepriceableReason>;

/** The body of every error response. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
  requestId: z.string(),
  /** Message per field of the request, by its path ("fullName"). */
  fields: z.record(z.string(), z.string()).optional(),
  /** Of `not_repriceable`: those that were not confirmed, the one with the most listings first. */
  reasons: z.array(NotRepriceableReason).optional(),
});
export type ErrorBody = z.output<typeof ErrorBody>;
