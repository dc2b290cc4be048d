import { type ErrorFormat, Refusal } from '#sandbox/adapters/adapter.ts';

const USUAL_ERRORS: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'invalid_token',
  403: 'You do not have permission to perform this action.',
  404: 'Resource not found',
  409: 'The resource was changed in the meantime.',
  429: 'Exceeded per second rate limit',
  500: 'Server error',
};

export const ETSY_ERROR_FORMAT: ErrorFormat = {
  refusal: (status) => ({ body: { error: USUAL_ERRORS[status] ?? 'Server error' } }),
  failedInside: () => ({ error: 'Server error' }),
};

export function etsyRefusal(status: number, error: string | undefined = USUAL_ERRORS[status]): Refusal {
  return new Refusal(status, { error: error ?? 'Server error' });
}
