import type { JobKind, Queue } from '#db/queue.ts';

/** A queue that keeps what it is sent, for tests that look at it or run it by hand. */
export interface RecordedQueue extends Queue {
  readonly sent: { readonly kind: string; readonly data: object }[];
}

export function recordedQueue(): RecordedQueue {
  const sent: RecordedQueue['sent'] = [];
  return {
    sent,
    send: async (_db, kind: JobKind<object>, data) => {
      sent.push({ kind: kind.name, data });
    },
    cancel: async (_db, kind: JobKind<object>, like) => {
      const wanted = Object.entries(like);
      const isLike = (data: object) => wanted.every(([key, value]) => Reflect.get(data, key) === value);
      const left = sent.filter(({ kind: name, data }) => name !== kind.name || !isLike(data));
      sent.splice(0, sent.length, ...left);
    },
    work: async () => undefined,
    schedule: async () => undefined,
    close: async () => undefined,
  };
}
