import { type ErrorFormat, Refusal } from '#sandbox/adapters/adapter.ts';
import { statusOfEmpty } from '#sandbox/adapters/list-pages.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { World } from '#sandbox/world/world.ts';

export interface GatewayError {
  readonly code: string;
  readonly field: string;
  readonly description: string;
  readonly info: string;
  readonly severity: 'ERROR';
  readonly category: 'DATA' | 'REQUEST' | 'SYSTEM' | 'APPLICATION';
}

type UsualError = readonly [code: string, description: string, category: GatewayError['category']];

const USUAL_ERRORS: Readonly<Record<number, UsualError>> = {
  400: ['INVALID_REQUEST_CONTENT', 'Request content is invalid.', 'DATA'],
  401: ['UNAUTHORIZED', 'Unauthorized token or incorrect authorization header.', 'DATA'],
  404: ['CONTENT_NOT_FOUND', 'Content not found.', 'DATA'],
  413: ['REQUEST_TOO_LARGE', 'The request is too large.', 'REQUEST'],
  429: ['REQUEST_THRESHOLD_VIOLATED', 'The number of requests is beyond the threshold.', 'REQUEST'],
  500: ['SYSTEM_ERROR', 'An internal error occurred.', 'SYSTEM'],
};

/** The error format of Walmart's gateway. */
export function walmartErrorFormat(world: World): ErrorFormat {
  const replenishAt = (wait: number): string => String(world.now() + wait);
  return {
    // The gateway itself calls the list "error", the services behind it "errors".
    refusal: (status) => {
      const headers = { 'x-current-token-count': '0', 'x-next-replenishment-time': replenishAt(60_000) };
      return {
        body: { error: [gatewayError(status)] },
        ...(status === 429 ? { headers } : {}),
      };
    },
    failedInside: () => ({ errors: [gatewayError(500)] }),
    limitHeaders: ({ left, wait, perSecond }) => ({
      'x-current-token-count': String(left),
      'x-next-replenishment-time': replenishAt(wait > 0 ? wait : Math.ceil(1_000 / perSecond)),
    }),
  };
}

function gatewayError(status: number, description?: string, field?: string): GatewayError {
  const [code, usual, category] = USUAL_ERRORS[status] ?? [
    'INVALID_REQUEST',
    'The request is invalid.',
    'REQUEST',
  ];
  return {
    code: `${code}.GMP_GATEWAY_API`,
    field: field ?? code,
    description: description ?? usual,
    info: usual,
    severity: 'ERROR',
    category,
  };
}

/** An error of the gateway. */
export function gatewayRefusal(status: number, description?: string, field?: string): Refusal {
  return new Refusal(status, { error: [gatewayError(status, description, field)] });
}

/** An error of a service behind the gateway. */
export function walmartRefusal(status: number, description: string, field?: string): Refusal {
  return new Refusal(status, { errors: [gatewayError(status, description, field)] });
}

/** Refuses an empty list where the world plans it. @throws Refusal */
export function refuseEmpty(market: Market, operation: string, count: number): void {
  const status = statusOfEmpty(market, operation, count);
  if (status !== null) throw walmartRefusal(status, status === 404 ? 'Content not found.' : 'No data found.');
}
