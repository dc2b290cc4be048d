import { GraphQLError } from 'graphql';

/** What a connection is asked for. */
export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly reverse?: boolean | null;
}

/** Whatever runs a query: a bulk operation reads everything there is and names no pages. */
export interface AskedBy {
  readonly isBulk: boolean;
}

const MOST = 250;

/** A part of a list in Shopify's manner: nodes and edges, with cursors that say where to go on. */
export function connectionOf<Node>(all: readonly Node[], asked: PageArguments, { isBulk }: AskedBy) {
  const list = asked.reverse === true ? all.toReversed() : all;
  const [from, to] = isBulk ? [0, list.length] : boundsOf(asked, list.length);
  const nodes = list.slice(from, to);
  return {
    nodes,
    edges: nodes.map((node, at) => ({ node, cursor: cursorOf(from + at) })),
    pageInfo: {
      hasNextPage: to < list.length,
      hasPreviousPage: from > 0,
      startCursor: nodes.length === 0 ? null : cursorOf(from),
      endCursor: nodes.length === 0 ? null : cursorOf(to - 1),
    },
  };
}

function boundsOf({ first, last, after, before }: PageArguments, length: number): [from: number, to: number] {
  const size = first ?? last;
  if (size == null) throw refused('you must provide one of first or last');
  if (first != null && last != null) throw refused('providing both first and last is not supported');
  if (size < 0 || size > MOST) throw refused(`first must be between 0 and ${MOST}`);
  const low = after == null ? 0 : offsetOf(after) + 1;
  const high = Math.max(low, before == null ? length : Math.min(length, offsetOf(before)));
  return first == null ? [Math.max(low, high - size), high] : [low, Math.min(high, low + size)];
}

function refused(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
}

function cursorOf(offset: number): string {
  return Buffer.from(JSON.stringify({ at: offset })).toString('base64');
}

function offsetOf(cursor: string): number {
  const [, at] = /^\{"at":(\d{1,9})\}$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (at === undefined) throw refused('Invalid cursor for current pagination sort.');
  return Number(at);
}
