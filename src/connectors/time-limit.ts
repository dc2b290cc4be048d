/** A signal that aborts after a time, until it is ended. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The work is over: the signal no longer aborts. */
  end(): void;
}

/**
 * A signal that aborts after a time, or with the first of other signals. Node.js may collect a timeout that is only part
 * of `AbortSignal.any` before it fires (nodejs/node, issues 57736 and 65995), and then a call has no limit: here the
 * timer and the listeners hold what they abort.
 * @param limit milliseconds; 0 or less aborts at once
 * @param signals whose reason becomes the reason of the signal
 */
export function startTimeLimit(limit: number, signals: readonly AbortSignal[]): TimeLimit {
  const own = new AbortController();
  const timedOut = (): void => own.abort(new DOMException('The time limit is over.', 'TimeoutError'));
  const timer = limit > 0 ? setTimeout(timedOut, limit) : undefined;
  // As with a timeout signal: a process that ends does not wait for it.
  timer?.unref();
  if (timer === undefined) timedOut();
  const followed = signals.map((signal) => {
    const follow = (): void => own.abort(signal.reason);
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
    return { signal, follow };
  });
  return {
    signal: own.signal,
    end: () => {
      clearTimeout(timer);
      for (const { signal, follow } of followed) signal.removeEventListener('abort', follow);
    },
  };
}

/** Runs work within a {@link startTimeLimit}. */
export async function withTimeLimit<Value>(
  limit: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { signal, end } = startTimeLimit(limit, signals);
  try {
    return await work(signal);
  } finally {
    end();
  }
}
