import { type Instant, instant } from '#domain/units.ts';

interface ScheduledEvent {
  readonly at: Instant;
  /** Breaks ties: of two events at the same time, the one scheduled first runs first. */
  readonly order: number;
  readonly act: () => void;
}

/**
 * Scheduled events in order of time. Time passes only by `advance`, with the same result in one step or in a thousand.
 */
export class Clockwork {
  #now: Instant;
  #planned = 0;
  /** A binary heap, the next event first. */
  readonly #heap: ScheduledEvent[] = [];

  constructor(startsAt: Instant) {
    this.#now = startsAt;
  }

  now(): Instant {
    return this.#now;
  }

  /** @param delay milliseconds from now, 0 or more */
  after(delay: number, act: () => void): void {
    this.#push({ at: instant(this.#now + Math.round(delay)), order: this.#planned++, act });
  }

  /** Runs all events up to and at that time. A time in the past changes nothing. */
  advance(to: Instant): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= to; next = this.#heap[0]) {
      this.#pop();
      this.#now = next.at;
      next.act();
    }
    if (to > this.#now) this.#now = to;
  }

  #push(one: ScheduledEvent): void {
    const heap = this.#heap;
    let place = heap.push(one) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(heap, place, parent)) return;
      swap(heap, place, parent);
      place = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    swap(heap, 0, heap.length - 1);
    heap.pop();
    for (let place = 0; ; ) {
      let first = place;
      for (const child of [2 * place + 1, 2 * place + 2]) if (isBefore(heap, child, first)) first = child;
      if (first === place) return;
      swap(heap, place, first);
      place = first;
    }
  }
}

function isBefore(heap: readonly ScheduledEvent[], a: number, b: number): boolean {
  const [one, other] = [heap[a], heap[b]];
  if (one === undefined || other === undefined) return false;
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

function swap(heap: ScheduledEvent[], a: number, b: number): void {
  const [one, other] = [heap[a], heap[b]];
  if (one === undefined || other === undefined) return;
  heap[a] = other;
  heap[b] = one;
}
