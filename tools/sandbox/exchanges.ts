import type { FaceName, FaultKind } from '#sandbox/faults/fault.ts';

/** One call and its answer, without secrets. */
export interface Exchange {
  readonly number: number;
  /** By the world's clock, in ISO 8601. */
  readonly at: string;
  readonly face: FaceName;
  /** Null for a path that no call has. */
  readonly operation: string | null;
  readonly method: string;
  /** Behind the name of the face, with its query: what the real host would be asked for. */
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** As it was sent, forms too. */
  readonly requestBody: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** As it was before a fault crippled it. */
  readonly responseBody: string;
  /** What was made to go wrong; null when nothing was. */
  readonly fault: FaultKind | null;
}

const SECRET_HEADERS = /authorization|cookie|token|api[-_]?key|secret|signature/i;
/** Not the counters that are called tokens too. */
const HARMLESS_HEADERS = new Set(['x-current-token-count']);
const SECRET_MEMBERS = /("(?:access_token|refresh_token|client_secret|code_verifier)"\s*:\s*")[^"]*(")/g;
/** What is a secret in the form of a token call, and an error's number everywhere else. */
const SECRET_CODE = /("code"\s*:\s*")[^"]*(")/g;
/** The same in a form, as it goes over the wire. */
const SECRET_FIELDS = /((?:^|&)(?:access_token|refresh_token|client_secret|code|code_verifier)=)[^&]*/g;
const LEFT_OUT = '(left out)';
/** Characters of a body that are kept, and of all bodies together. */
const LONGEST_BODY = 4_000_000;
const MOST_CHARACTERS = 50_000_000;

/** The last exchanges, for whoever wants to hold them against the official documents. */
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
    while (this.#kept.length > this.#most || this.#characters > MOST_CHARACTERS) {
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
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? LEFT_OUT : value]),
  );
}

function cleanRequest(body: string): string {
  const withoutCodes = cleanBody(body).replace(SECRET_CODE, `$1${LEFT_OUT}$2`);
  return withoutCodes.replace(SECRET_FIELDS, `$1${LEFT_OUT}`);
}

function cleanBody(body: string): string {
  if (body.length > LONGEST_BODY) return `(${body.length} characters)`;
  return body.replace(SECRET_MEMBERS, `$1${LEFT_OUT}$2`);
}
