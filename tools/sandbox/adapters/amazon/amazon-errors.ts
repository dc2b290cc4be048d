import type { ErrorFormat } from '#sandbox/adapters/adapter.ts';
import { Refusal } from '#sandbox/adapters/adapter.ts';

const CODES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['InvalidInput', 'Invalid input.'],
  401: ['Unauthorized', 'Access to requested resource is denied.'],
  403: ['Unauthorized', 'Access to requested resource is denied.'],
  404: ['NotFound', 'Resource not found'],
  413: ['RequestTooLarge', 'The request size exceeded the maximum accepted size.'],
  415: ['UnsupportedMediaType', 'The request payload is in an unsupported format.'],
  429: ['QuotaExceeded', 'You exceeded your quota for the requested resource.'],
  500: ['InternalFailure', 'We encountered an internal error. Please try again.'],
  503: ['ServiceUnavailable', 'Service is temporarily unavailable. Please try again.'],
};

export interface AmazonError {
  readonly code: string;
  readonly message: string;
  readonly details?: string;
}

export const amazonErrorFormat: ErrorFormat = {
  refusal: (status) => ({ body: errorsBody(status) }),
  // In price and fee batches the call succeeds even if what it requested failed.
  failedInside: (operation) => {
    if (operation === 'patchListingsItem') return invalidSubmission();
    if (operation === 'getMyFeesEstimates') return [{ Status: 'ServiceError', Error: serviceError() }];
    return {
      errors: [{ code: 'InternalFailure', message: 'We encountered an internal error.', details: '' }],
    };
  },
  limitHeaders: ({ perSecond }) => ({ 'x-amzn-ratelimit-limit': String(perSecond) }),
};

export function errorsBody(status: number, message?: string, details = ''): { errors: AmazonError[] } {
  const [code, usual] = CODES[status] ?? ['InvalidInput', 'Invalid input.'];
  return { errors: [{ code, message: message ?? usual, details }] };
}

/** An error response in the format of the Selling Partner API. */
export function amazonRefusal(status: number, message?: string, details?: string): Refusal {
  return new Refusal(status, errorsBody(status, message, details));
}

function serviceError() {
  return { Type: 'Receiver', Code: 'InternalError', Message: 'An internal error has occurred.', Detail: [] };
}

function invalidSubmission() {
  return {
    sku: 'unknown',
    status: 'INVALID',
    submissionId: 'f1dc2914-75dd-11ea-bc55-0242ac130003',
    issues: [
      {
        code: '90220',
        message: 'The submission could not be processed.',
        severity: 'ERROR',
        attributeNames: ['purchasable_offer'],
        categories: ['INVALID_ATTRIBUTE'],
      },
    ],
  };
}
