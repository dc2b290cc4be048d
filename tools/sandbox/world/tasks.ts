import type { Instant } from '#domain/units.ts';
import type { Clockwork } from './clockwork.ts';

/** A background task of a marketplace, such as a feed or a report. */
export interface Task {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: Instant;
  /** Null until it is done. */
  readonly doneAt: Instant | null;
  readonly state: 'waiting' | 'working' | 'done';
  /** The report's text or the feed's results. Null until it is done. */
  readonly output: string | null;
}

type MutableTask = { -readonly [K in keyof Task]: Task[K] };

/** Older tasks are forgotten. */
const MAX_TASKS = 500;

/** The background tasks of one marketplace. */
export class Tasks {
  readonly #clockwork: Clockwork;
  readonly #all = new Map<string, MutableTask>();

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork;
  }

  /**
   * @param id the marketplace's ID of the task
   * @param takes duration in milliseconds: one third waiting, the rest working
   * @param make returns the output; runs at the end, on the state of the world at that time
   */
  start(id: string, kind: string, takes: number, make: () => string): Task {
    const createdAt = this.#clockwork.now();
    const task: MutableTask = { id, kind, createdAt, doneAt: null, state: 'waiting', output: null };
    this.#all.set(id, task);
    const [oldest] = this.#all.keys();
    if (this.#all.size > MAX_TASKS && oldest !== undefined) this.#all.delete(oldest);
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

  /** In the order of their start. */
  list(): readonly Task[] {
    return [...this.#all.values()];
  }
}
