import type { Task } from '#sandbox/world/tasks.ts';

const STATUS = { waiting: 'IN_QUEUE', working: 'IN_PROGRESS', done: 'DONE' } as const;

/** The status fields that reports and feeds share. */
export function statusOf({ state, createdAt, doneAt }: Task) {
  const created = new Date(createdAt).toISOString();
  return {
    createdTime: created,
    processingStatus: STATUS[state],
    ...(state === 'waiting' ? {} : { processingStartTime: created }),
    ...(doneAt === null ? {} : { processingEndTime: new Date(doneAt).toISOString() }),
  };
}
