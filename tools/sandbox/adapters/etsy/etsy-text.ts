import { type FaceWords, Refusal } from '#sandbox/adapters/adapter.ts';

const TOLD: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'invalid_token',
  403: 'You do not have permission to perform this action.',
  404: 'Resource not found',
  409: 'The resource was changed in the meantime.',
  429: 'Exceeded per second rate limit',
  500: 'Server error',
};

/** How Etsy words what goes wrong. */
export const ETSY_WORDS: FaceWords = {
  refusal: (status) => ({ body: { error: TOLD[status] ?? 'Server error' } }),
  failedInside: () => ({ error: 'Server error' }),
};

export function etsyRefusal(status: number, error: string | undefined = TOLD[status]): Refusal {
  return new Refusal(status, { error: error ?? 'Server error' });
}
