import { type ErrorFormat, Refusal } from '#sandbox/adapters/adapter.ts';

const CODES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['MCU_API_BAD_REQUEST', 'bad request'],
  401: ['MCU_API_INVALID_API_KEY', 'invalid api key'],
  404: ['MCU_API_LISTING_NOT_FOUND', 'listing not found'],
  429: ['MCU_API_TOO_MANY_REQUESTS', 'too many requests'],
  500: ['MCU_API_SYSTEM_ERROR', 'system error'],
};

function bodyOf(status: number, words?: string) {
  const [code, message] = CODES[status] ?? ['MCU_API_BAD_REQUEST', 'bad request'];
  return { code, message: words ?? message };
}

/** Michaels' response format. Successful responses have a code too. */
export const MICHAELS_ERROR_FORMAT: ErrorFormat = {
  refusal: (status) => ({ body: bodyOf(status) }),
  failedInside: () => ({ ...bodyOf(500), data: null }),
};

export const SUCCESS = { code: '200', message: 'success' };

export function michaelsRefusal(status: number, words?: string): Refusal {
  return new Refusal(status, bodyOf(status, words));
}

/** The error for a read-only key. */
export function readOnlyRefusal(): Refusal {
  return new Refusal(401, { code: 'MCU_DEVELOPER_API_DO_NOT_HAVE_PERMISSION', message: 'no permission' });
}
