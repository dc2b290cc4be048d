import type { FaultKind, ServiceName } from '#sandbox/faults/fault.ts';

/** One call and its response, without secrets. */
export interface Exchange {
  readonly number: number;
  /** By the world's clock, in ISO 8601. */
  readonly at: string;
  readonly service: ServiceName;
  /** Null for an unknown path. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query relative to the service's base URL, as the real host would receive them. */
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** As it was sent, forms too. */
  readonly requestBody: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The body before a fault changed it. */
  readonly responseBody: string;
  /** The injected fault; null for none. */
  readonly fault: FaultKind | null;
}

const SECRET_HEADERS = /authorization|cookie|token|api[-_]?key|secret|signature/i;
/** Counters whose names contain "token". */
const HARMLESS_HEADERS = new Set(['x-current-token-count']);
const SECRET_MEMBERS = /("(?:access_token|refresh_token|client_secret|code_verifier)"\s*:\s*")[^"]*(")/g;
/** An authorization code in the body of a token call; elsewhere "code" is an error code. */
const SECRET_CODE = /("code"\s*:\s*")[^"]*(")/g;
/** The same fields in a URL-encoded form. */
const SECRET_FIELDS = /((?:^|&)(?:access_token|refresh_token|client_secret|code|code_verifier)=)[^&]*/g;
const REDACTED = '(redacted)';
/** Characters kept of one body, and of all bodies together. */
const MAX_BODY_CHARACTERS = 4_000_000;
const MAX_CHARACTERS = 50_000_000;

/** The last exchanges, to be compared with the official API documents. */
export class Exchanges {
  readonly #most: number;
  #made = 0;
  #kept: Exchange[] = [];
  #characters = 0;

  constructor(most = 5_000) {
    this.#most = most;
  }

  add(exchange: Omit<Exchange, 'number'>): void {
    this.#kept.push({
      ...exchange,
      number: ++this.#made,
      requestHeaders: withoutSecrets(exchange.requestHeaders),
      requestBody: cleanRequest(exchange.requestBody),
      responseHeaders: withoutSecrets(exchange.responseHeaders),
      responseBody: cleanBody(exchange.responseBody),
    });
    this.#characters += sizeOf(this.#kept.at(-1));
    while (this.#kept.length > this.#most || this.#characters > MAX_CHARACTERS) {
      this.#characters -= sizeOf(this.#kept.shift());
    }
  }

  list(): readonly Exchange[] {
    return this.#kept;
  }

  clear(): void {
    this.#kept = [];
    this.#characters = 0;
  }
}

function sizeOf(exchange: Exchange | undefined): number {
  return exchange === undefined ? 0 : exchange.requestBody.length + exchange.responseBody.length;
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const isSecret = (name: string): boolean => SECRET_HEADERS.test(name) && !HARMLESS_HEADERS.has(name);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? REDACTED : value]),
  );
}

function cleanRequest(body: string): string {
  const withoutCodes = cleanBody(body).replace(SECRET_CODE, `$1${REDACTED}$2`);
  return withoutCodes.replace(SECRET_FIELDS, `$1${REDACTED}`);
}

function cleanBody(body: string): string {
  if (body.length > MAX_BODY_CHARACTERS) return `(${body.length} characters)`;
  return body.replace(SECRET_MEMBERS, `$1${REDACTED}$2`);
}
