import type { Instant } from '#domain/units.ts';

/** A message as somebody receives it. */
export interface ReceivedMessage {
  readonly id: string;
  readonly text: string;
  /** Good for this receipt alone. */
  readonly handle: string;
  /** How often it was received, this time included. */
  readonly receipts: number;
}

/** Messages that nobody reads are kept up to that many. */
const MOST = 10_000;

interface Waiting {
  readonly id: string;
  readonly text: string;
  hiddenUntil: number;
  receipts: number;
}

/** The seller's own queue, where marketplaces put messages: each is delivered until somebody removes it. */
export class MessageQueue {
  readonly #now: () => Instant;
  readonly #waiting = new Map<string, Waiting>();
  #made = 0;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  push(text: string): void {
    const id = `message-${++this.#made}`;
    this.#waiting.set(id, { id, text, hiddenUntil: 0, receipts: 0 });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MOST && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** @param hiddenFor milliseconds until a message comes again that is not removed */
  receive(most: number, hiddenFor: number): ReceivedMessage[] {
    const now = this.#now();
    const received: ReceivedMessage[] = [];
    for (const message of this.#waiting.values()) {
      if (received.length >= most) break;
      if (message.hiddenUntil > now) continue;
      message.hiddenUntil = now + hiddenFor;
      const receipts = ++message.receipts;
      received.push({ id: message.id, text: message.text, receipts, handle: handleOf(message) });
    }
    return received;
  }

  /** @returns whether it was there */
  remove(handle: string): boolean {
    const message = this.#waiting.get(handle.split('#')[0] ?? '');
    return message !== undefined && handleOf(message) === handle && this.#waiting.delete(message.id);
  }
}

function handleOf({ id, receipts }: Waiting): string {
  return `${id}#${receipts}`;
}
