import { type Instant, instant } from '#domain/units.ts';

interface Happening {
  readonly at: Instant;
  /** Of two at the same moment, the one that was planned first comes first. */
  readonly order: number;
  readonly act: () => void;
}

/**
 * What is going to happen, in the order of time. Nothing moves but by `advance`; whether a day passes in one step or in a
 * thousand makes no difference.
 */
export class Clockwork {
  #now: Instant;
  #planned = 0;
  /** A binary heap, the next one first. */
  readonly #heap: Happening[] = [];

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

  /** Lets everything happen up to and at that moment. A moment in the past changes nothing: time does not run back. */
  advance(to: Instant): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= to; next = this.#heap[0]) {
      this.#pop();
      this.#now = next.at;
      next.act();
    }
    if (to > this.#now) this.#now = to;
  }

  #push(one: Happening): void {
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

function isBefore(heap: readonly Happening[], a: number, b: number): boolean {
  const [one, other] = [heap[a], heap[b]];
  if (one === undefined || other === undefined) return false;
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

function swap(heap: Happening[], a: number, b: number): void {
  const [one, other] = [heap[a], heap[b]];
  if (one === undefined || other === undefined) return;
  heap[a] = other;
  heap[b] = one;
}
