/** Milliseconds to wait for the receiver's response. */
const RESPONSE_TIMEOUT = 5_000;
/** Events waiting to be sent; beyond this the oldest are dropped. */
const MAX_WAITING_EVENTS = 500;
const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether the address is on this machine: the sandbox sends nothing to other machines. */
export function isOnThisMachine(address: unknown): address is string {
  return typeof address === 'string' && URL.canParse(address) && THIS_MACHINE.has(new URL(address).hostname);
}

interface Event {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Sends events one after the other, without retries. */
export class EventPost {
  readonly #waiting: Event[] = [];
  #isSending = false;

  send(event: Event): void {
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING_EVENTS) this.#waiting.shift();
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      await post(event);
    }
    this.#isSending = false;
  }
}

async function post({ address, headers, body }: Event): Promise<void> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      redirect: 'error',
      body,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT),
      headers: { 'content-type': 'application/json', ...headers },
    });
    await answer.arrayBuffer();
  } catch {
    // The receiver cannot be reached; the event is dropped.
  }
}
