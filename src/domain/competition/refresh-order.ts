import type { Instant, Millis } from '#domain/units.ts';

/**
 * Why a listing's competitors are read again, the most urgent first: an event or a change of ours asks for it · it is contested
 * or its buy box changed, and it sells · it is contested or sells · all others.
 */
export const REFRESH_QUEUES = ['requested', 'hot', 'warm', 'cold'] as const;
export type RefreshQueue = (typeof REFRESH_QUEUES)[number];

/** A listing that may be read next. */
export interface RefreshCandidate {
  readonly queue: RefreshQueue;
  /** When it was last read; null if never. */
  readonly readAt: Instant | null;
}

/** The queues of the half that requests do not take, in turn: five of ten, three and two. */
const TURNS = ['hot', 'warm', 'hot', 'cold', 'hot', 'warm', 'hot', 'cold', 'hot', 'warm'] as const;

/** From this share of the maximum age on, a listing goes up a queue; another one after each further step. */
const OVERDUE_FROM = 0.8;
const OVERDUE_STEP = 0.05;

/**
 * The order in which listings are read, so that it may be broken off anywhere: every second one was requested while
 * there are such, the others are hot, warm and cold by 5:3:2. The turn of an empty queue falls to the next lower one. In
 * a queue the oldest reading comes first.
 * @param maxAge of a reading that a decision may use
 * @returns all candidates, each once
 */
export function refreshOrder<One extends RefreshCandidate>(
  candidates: readonly One[],
  now: Instant,
  maxAge: Millis,
): One[] {
  const queues = queuesOf(candidates, now, maxAge);
  const next = (wanted: RefreshQueue): One | undefined => {
    const from = REFRESH_QUEUES.indexOf(wanted);
    const order = [...REFRESH_QUEUES.slice(from), ...REFRESH_QUEUES.slice(0, from)];
    return order
      .map((queue) => queues[queue])
      .find((queue) => queue.length > 0)
      ?.pop();
  };
  const order: One[] = [];
  let turn = 0;
  while (order.length < candidates.length) {
    const isRequestedTurn = order.length % 2 === 0 && queues.requested.length > 0;
    const one = next(isRequestedTurn ? 'requested' : (TURNS[turn++ % TURNS.length] ?? 'cold'));
    if (one === undefined) break;
    order.push(one);
  }
  return order;
}

/** The candidates by queue, the oldest reading last. */
function queuesOf<One extends RefreshCandidate>(
  candidates: readonly One[],
  now: Instant,
  maxAge: Millis,
): Record<RefreshQueue, One[]> {
  const queues: Record<RefreshQueue, One[]> = { requested: [], hot: [], warm: [], cold: [] };
  for (const one of candidates) queues[queueNow(one, now, maxAge)].push(one);
  // Of equal ones the first comes first: sorted from the front, taken from the end.
  for (const queue of Object.values(queues)) queue.sort((a, b) => waitOf(b, now) - waitOf(a, now)).reverse();
  return queues;
}

function waitOf({ readAt }: RefreshCandidate, now: Instant): number {
  return readAt === null ? Number.MAX_VALUE : now - readAt;
}

/** The queue of a candidate, higher up the closer its reading is to being too old. */
function queueNow(one: RefreshCandidate, now: Instant, maxAge: Millis): RefreshQueue {
  const overdue = waitOf(one, now) / maxAge - OVERDUE_FROM;
  const steps = overdue < 0 ? 0 : 1 + Math.floor(overdue / OVERDUE_STEP);
  const place = Math.max(0, REFRESH_QUEUES.indexOf(one.queue) - steps);
  return REFRESH_QUEUES[place] ?? 'requested';
}
