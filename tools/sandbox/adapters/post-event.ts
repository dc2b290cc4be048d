/** Milliseconds that whoever receives an event may take for an answer. */
const PATIENCE = 5_000;
/** Events that wait to be sent; beyond that the oldest are not sent at all. */
const MOST = 500;
const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether events may go there: a sandbox sends nothing to other machines. */
export function isOnThisMachine(address: unknown): address is string {
  return typeof address === 'string' && URL.canParse(address) && THIS_MACHINE.has(new URL(address).hostname);
}

interface Event {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Sends events one after the other. What does not arrive is not sent again, as marketplaces do after some time. */
export class EventPost {
  readonly #waiting: Event[] = [];
  #isSending = false;

  send(event: Event): void {
    this.#waiting.push(event);
    if (this.#waiting.length > MOST) this.#waiting.shift();
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
      signal: AbortSignal.timeout(PATIENCE),
      headers: { 'content-type': 'application/json', ...headers },
    });
    await answer.arrayBuffer();
  } catch {
    // Nobody is there.
  }
}
