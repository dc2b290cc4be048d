import type { Instant } from '#domain/units.ts';
import type { Clockwork } from './clockwork.ts';

/** Something that a marketplace works on for a while: a feed, a report. */
export interface Task {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: Instant;
  /** Null until it is done. */
  readonly doneAt: Instant | null;
  readonly state: 'waiting' | 'working' | 'done';
  /** What came of it: a report's text, a feed's list of results. Null until it is done. */
  readonly output: string | null;
}

type LivingTask = { -readonly [K in keyof Task]: Task[K] };

/** So many are remembered; older ones are as unknown as those that never were. */
const MOST = 500;

/** What is worked on in one marketplace. */
export class Tasks {
  readonly #clockwork: Clockwork;
  readonly #all = new Map<string, LivingTask>();

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork;
  }

  /**
   * @param id the marketplace's own number for it
   * @param takes milliseconds: waiting for a third of it, worked on for the rest
   * @param make runs when it is done, and sees the world as it is then
   */
  start(id: string, kind: string, takes: number, make: () => string): Task {
    const createdAt = this.#clockwork.now();
    const task: LivingTask = { id, kind, createdAt, doneAt: null, state: 'waiting', output: null };
    this.#all.set(id, task);
    const [oldest] = this.#all.keys();
    if (this.#all.size > MOST && oldest !== undefined) this.#all.delete(oldest);
    this.#clockwork.after(takes / 3, () => {
      task.state = 'working';
    });
    this.#clockwork.after(takes, () => {
      task.output = make();
      task.state = 'done';
      task.doneAt = this.#clockwork.now();
    });
    return task;
  }

  find(id: string): Task | null {
    return this.#all.get(id) ?? null;
  }

  /** In the order they were started. */
  list(): readonly Task[] {
    return [...this.#all.values()];
  }
}
