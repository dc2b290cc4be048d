/** What went wrong with somebody else's service, as far as a person or a retry can do something about it. */
export type ConnectorFault =
  /** The key or token is refused, also after a new one was fetched. */
  | 'key'
  /** The key is good and may not do this. */
  | 'permission'
  /** Asked too much: by the service's word, or by our own budget before anything was sent. */
  | 'busy'
  /** The service has trouble of its own. */
  | 'service'
  /** The service understood and says no. */
  | 'refused'
  | 'network'
  | 'time'
  | 'unreadable'
  | 'too_large'
  /** Nothing was sent: the moment by which it had to go was over. */
  | 'late';

export interface ConnectorErrorDetails {
  /** The HTTP status that was answered. */
  readonly status?: number;
  /** The service's own code for what went wrong. */
  readonly code?: string | null;
  /** What the service says, in its own words and however long: "eBay says: ...". It follows our sentence. */
  readonly said?: string | null;
  /** The call was to change something, and nobody can say whether it did. */
  readonly mayHaveActed?: boolean;
  /** Milliseconds after which another try makes sense. */
  readonly retryAfter?: number | null;
}

/**
 * A call to somebody else's service failed. The message is for people: our sentence, and what the service says. The words
 * of the service may hold anything, keys included, until `keepingSecrets` has cut them: use cases get no other connectors.
 */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly fault: ConnectorFault;
  /** The message without the words of the service. */
  readonly sentence: string;
  readonly said: string | null;
  /** Null without an answer. */
  readonly status: number | null;
  readonly code: string | null;
  readonly mayHaveActed: boolean;
  readonly retryAfter: number | null;

  constructor(fault: ConnectorFault, sentence: string, details: ConnectorErrorDetails = {}) {
    const said = details.said ?? null;
    super(said === null ? sentence : `${sentence} ${said}`);
    this.sentence = sentence;
    this.said = said;
    this.fault = fault;
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.mayHaveActed = details.mayHaveActed ?? false;
    this.retryAfter = details.retryAfter ?? null;
  }

  /** What may stand where everybody who is signed in reads it: of trouble with keys our own sentence alone. */
  get tellable(): string {
    return this.fault === 'key' || this.fault === 'permission' ? this.sentence : this.message;
  }
}
