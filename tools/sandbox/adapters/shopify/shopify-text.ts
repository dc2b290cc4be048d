import { type FaceWords, Refusal } from '#sandbox/adapters/adapter.ts';

const TOLD: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: '[API] Invalid API key or access token (unrecognized login or wrong password)',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Throttled',
  500: 'Internal Server Error',
};

/** How Shopify words what goes wrong outside of GraphQL, and an error of its own inside. */
export const SHOPIFY_WORDS: FaceWords = {
  refusal: (status) => ({ body: { errors: TOLD[status] ?? 'Bad Request' } }),
  failedInside: () => ({
    errors: [
      {
        message: 'Internal error. Looks like something went wrong on our end.',
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: '00000000-0000-4000-8000-000000000000' },
      },
    ],
  }),
};

export function shopifyRefusal(status: number): Refusal {
  return new Refusal(status, SHOPIFY_WORDS.refusal(status).body);
}
