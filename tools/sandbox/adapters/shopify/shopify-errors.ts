import { type ErrorFormat, Refusal } from '#sandbox/adapters/adapter.ts';

const USUAL_ERRORS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: '[API] Invalid API key or access token (unrecognized login or wrong password)',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Throttled',
  500: 'Internal Server Error',
};

/** Shopify's error format outside GraphQL, and its internal error inside. */
export const SHOPIFY_ERROR_FORMAT: ErrorFormat = {
  refusal: (status) => ({ body: { errors: USUAL_ERRORS[status] ?? 'Bad Request' } }),
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
  return new Refusal(status, SHOPIFY_ERROR_FORMAT.refusal(status).body);
}
