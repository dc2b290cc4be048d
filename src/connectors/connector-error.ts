import type { Instant } from '#domain/units.ts';

/** What failed in a call to an external service, as far as a user or a retry can fix it. */
export type ConnectorFault =
  /** The key or token is refused, even after a new one was fetched. */
  | 'key'
  /** The key is valid but lacks the permission. */
  | 'permission'
  /** Rate limited: by the service, or by our own budget before anything was sent. */
  | 'busy'
  /** The service failed (5xx). */
  | 'service'
  /** The service understood and refused. */
  | 'refused'
  | 'network'
  | 'time'
  | 'unreadable'
  | 'too_large'
  /** Nothing was sent: its deadline had passed. */
  | 'late';

export interface ConnectorErrorDetails {
  /** The HTTP status of the response. */
  readonly status?: number;
  /** The error code of the service. */
  readonly code?: string | null;
  /** The error message of the service, in full: "eBay says: ...". It follows our sentence. */
  readonly said?: string | null;
  /** The call was to change something, and it is unknown whether it did. */
  readonly mayHaveActed?: boolean;
  /** The call was to read: that it is refused says nothing about a price that was to follow. */
  readonly isOfRead?: boolean;
  /** Milliseconds after which a retry makes sense. */
  readonly retryAfter?: number | null;
  /** The calls of a day are used up. */
  readonly dayLimit?: DayLimit | null;
}

/** The calls of a day are used up. */
export interface DayLimit {
  /** When there are calls again; null where the service does not report. */
  readonly until: Instant | null;
  /** They are those of one of its APIs: what needs another one goes on. */
  readonly othersMayGo?: true;
}

/**
 * A failed call to an external service. The message is shown to users: our sentence, then the service's. The
 * service's text may contain anything, keys included, until `keepingSecrets` has redacted it: use cases only get
 * connectors that are wrapped by it.
 */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly fault: ConnectorFault;
  /** The message without the service's text. */
  readonly sentence: string;
  readonly said: string | null;
  /** Null without a response. */
  readonly status: number | null;
  readonly code: string | null;
  readonly mayHaveActed: boolean;
  readonly isOfRead: boolean;
  readonly retryAfter: number | null;
  readonly dayLimit: DayLimit | null;

  constructor(error: ConnectorFault, sentence: string, details: ConnectorErrorDetails = {}) {
    const said = details.said ?? null;
    super(said === null ? sentence : `${sentence} ${said}`);
    this.sentence = sentence;
    this.said = said;
    this.fault = error;
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.mayHaveActed = details.mayHaveActed ?? false;
    this.isOfRead = details.isOfRead ?? false;
    this.retryAfter = details.retryAfter ?? null;
    this.dayLimit = details.dayLimit ?? null;
  }

  /** The part that every logged-in user may read: for credential errors only our own sentence. */
  get publicMessage(): string {
    return this.fault === 'key' || this.fault === 'permission' ? this.sentence : this.message;
  }
}

/** Whether the key is valid and lacks the permission. */
export function isOfPermission(error: unknown): boolean {
  return error instanceof ConnectorError && error.fault === 'permission';
}

/** An error of the whole account, or a temporary one of all calls: the next call would fail too. */
export function concernsAll({ fault }: ConnectorError): boolean {
  return ['key', 'permission', 'busy', 'time'].includes(fault);
}
