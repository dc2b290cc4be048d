import { ConnectorError } from './connector-error.ts';
import { type Cut, secretCutter } from './secret-cutter.ts';

/** Longest shown part of a service's message. */
const MAX_MESSAGE_LENGTH = 300;
/** Longest checked part: anything after it would not be shown either. */
const LONGEST_LOOK = 20_000;

/** The known secrets of one account, and the texts to redact them in. */
export class SecretWords {
  readonly #secrets: Set<string>;
  #cut: Cut | null = null;

  constructor(secrets: Iterable<string>) {
    this.#secrets = new Set(secrets);
  }

  /** Adds another one, such as a token that was just fetched. */
  learn(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#cut = null;
  }

  readonly cut: Cut = (text) => {
    this.#cut ??= secretCutter(this.#secrets);
    return this.#cut(text);
  };

  /** A value with every text in it redacted, however deep; the same value when nothing was found. */
  cutIn<Value>(value: Value): Value {
    return cutInside(value, this.cut) as Value;
  }

  /** An error that may be stored, shown and logged: the service's message is redacted first and then shortened. */
  cutError(error: unknown): unknown {
    if (error instanceof ConnectorError) return this.#cutRefusal(error);
    return error instanceof Error ? this.#cutFault(error) : error;
  }

  #cutRefusal(error: ConnectorError): ConnectorError {
    const { fault, sentence, said, code, status, mayHaveActed, retryAfter } = error;
    return new ConnectorError(fault, this.#short(sentence), {
      ...(status === null ? {} : { status }),
      code: code === null ? null : this.#short(code),
      said: said === null ? null : this.#short(said),
      mayHaveActed,
      retryAfter,
    });
  }

  /** A library's own error may contain a whole request. One without secrets is unchanged. */
  #cutFault(error: Error): Error {
    const { name, message, stack = '', cause } = error;
    const clean = { message: this.cut(message), stack: this.cut(stack), cause: this.#cutCause(cause) };
    if (clean.message === message && clean.stack === stack && clean.cause === cause) return error;
    const cut = new Error(clean.message, cause === undefined ? {} : { cause: clean.cause });
    cut.name = name;
    cut.stack = clean.stack;
    return 'code' in error ? Object.assign(cut, { code: this.cutIn(error.code) }) : cut;
  }

  #cutCause(cause: unknown): unknown {
    return cause instanceof Error ? this.cutError(cause) : cause;
  }

  #short(text: string): string {
    const left = this.cut(text.slice(0, LONGEST_LOOK));
    return left.length <= MAX_MESSAGE_LENGTH ? left : `${left.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
  }
}

function cutInside(value: unknown, cut: Cut): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => cutInside(item, cut));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const members = Object.entries(value);
  const left = members.map(([name, member]) => [name, cutInside(member, cut)] as const);
  return left.every(([, member], at) => member === members[at]?.[1]) ? value : Object.fromEntries(left);
}
