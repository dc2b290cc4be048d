import { type ErrorFormat, Refusal } from '#sandbox/adapters/adapter.ts';

type Domain =
  | 'ACCESS'
  | 'API_BROWSE'
  | 'API_FEED'
  | 'API_FINANCES'
  | 'API_FULFILLMENT'
  | 'API_INVENTORY'
  | 'API_MARKETING'
  | 'API_NOTIFICATION'
  | 'API_TAXONOMY'
  | 'OAuth';

export interface EbayError {
  readonly errorId: number;
  readonly domain: Domain;
  readonly subdomain?: string;
  readonly category: 'REQUEST' | 'APPLICATION' | 'BUSINESS';
  readonly message: string;
  readonly longMessage?: string;
  readonly parameters?: readonly { readonly name: string; readonly value: string }[];
}

const USUAL_ERRORS: Readonly<Record<number, EbayError>> = {
  400: { errorId: 2_004, domain: 'ACCESS', category: 'REQUEST', message: 'Invalid request' },
  401: { errorId: 1_001, domain: 'OAuth', category: 'REQUEST', message: 'Invalid access token' },
  403: { errorId: 1_100, domain: 'ACCESS', category: 'REQUEST', message: 'Access denied' },
  404: { errorId: 2_002, domain: 'ACCESS', category: 'REQUEST', message: 'Resource not found' },
  429: { errorId: 2_001, domain: 'ACCESS', category: 'REQUEST', message: 'Too many requests.' },
  500: { errorId: 25_001, domain: 'API_INVENTORY', category: 'APPLICATION', message: 'A system error.' },
};
const SYSTEM_ERROR: EbayError = {
  errorId: 25_001,
  domain: 'API_INVENTORY',
  category: 'APPLICATION',
  message: 'A system error has occurred.',
};

/** eBay's error format. eBay reports limits only once they are exceeded. */
export const EBAY_ERROR_FORMAT: ErrorFormat = {
  refusal: (status) => ({ body: { errors: [USUAL_ERRORS[status] ?? SYSTEM_ERROR] } }),
  failedInside: (operation) =>
    operation === 'bulkUpdatePriceQuantity'
      ? { responses: [{ statusCode: 500, errors: [SYSTEM_ERROR] }] }
      : { errors: [SYSTEM_ERROR] },
};

/** eBay's usual error for a status. */
export function ebayRefusal(status: number): Refusal {
  return new Refusal(status, EBAY_ERROR_FORMAT.refusal(status).body);
}

/** An error with its own error ID. */
export function ebayError(errorId: number, domain: Domain, message: string, status = 400): Refusal {
  return new Refusal(status, { errors: [{ errorId, domain, category: 'REQUEST', message }] });
}
