import { hash, parseOptions, verify } from '@node-rs/argon2';
import { AppError } from '#usecases/app-error.ts';

// argon2id, the package's default algorithm. 19 MiB and 2 passes are the minimum of current advice; the third pass
// takes a few milliseconds. Raise them freely: old hashes are renewed at their owner's next login.
type Parameters = { memoryCost: number; timeCost: number; parallelism: number };
const PARAMETERS: Parameters = { memoryCost: 19_456, timeCost: 3, parallelism: 1 };

// Two of the four worker threads that Node shares with files and DNS lookups: a flood of logins must not block pages.
const CONCURRENT = 2;
// Half a second of work; later calls are instructed to retry.
const QUEUE_LENGTH = 32;

/** Hashes and checks passwords, a few at a time. Passwords are used exactly as typed. */
export type PasswordHasher = {
  /** @throws AppError too_many_requests when the queue is full */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. A null hash (unknown user) takes the same work and never matches.
   * @throws AppError too_many_requests when the queue is full
   */
  verify(stored: string | null, password: string): Promise<boolean>;
  /** True when the hash was made with weaker parameters than today's. */
  needsRehash(stored: string): boolean;
};

/** Lets `concurrent` tasks run, `queueLength` wait, and rejects the rest immediately. */
export function createGate(
  concurrent: number,
  queueLength: number,
): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: Array<() => void> = [];
  return async (task) => {
    if (running < concurrent) running += 1;
    else {
      if (waiting.length >= queueLength) {
        throw new AppError('too_many_requests', 'Too many people are logging in. Try again in a moment.', {
          retryAfterSeconds: 1,
        });
      }
      // The slot is passed on, not freed and acquired again: no other task can get in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** One per process: the limit counts only what goes through the same hasher. */
export function createPasswordHasher(wanted: Parameters = PARAMETERS): PasswordHasher {
  const throughGate = createGate(CONCURRENT, QUEUE_LENGTH);
  // The hash of a random password, made with today's parameters so that checking it takes today's time.
  const unknownUserHash = hash(crypto.randomUUID(), wanted);
  return {
    hash: (password) => throughGate(() => hash(password, wanted)),
    verify: (stored, password) =>
      throughGate(async () => {
        const matches = await verify(stored ?? (await unknownUserHash), password);
        return matches && stored !== null;
      }),
    needsRehash: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      return (
        memoryCost < wanted.memoryCost || timeCost < wanted.timeCost || parallelism !== wanted.parallelism
      );
    },
  };
}
