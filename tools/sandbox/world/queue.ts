import type { Instant } from '#domain/units.ts';

export interface ReceivedMessage {
  readonly id: string;
  readonly text: string;
  /** Valid for this receipt only. */
  readonly handle: string;
  /** How often the message was received, including this time. */
  readonly receipts: number;
}

/** Beyond this many, the oldest unread messages are dropped. */
const MAX_MESSAGES = 10_000;

interface Waiting {
  readonly id: string;
  readonly text: string;
  hiddenUntil: number;
  receipts: number;
}

/** The seller's own message queue: each message is redelivered until it is removed. */
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
    if (this.#waiting.size > MAX_MESSAGES && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** @param hiddenFor milliseconds until a message that is not removed is delivered again */
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
