import { GraphQLError } from 'graphql';

/** The pagination arguments of a connection. */
export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly reverse?: boolean | null;
}

/** The context of a query: a bulk operation reads all pages without pagination arguments. */
export interface QueryContext {
  readonly isBulk: boolean;
}

const MAX_PAGE_SIZE = 250;

/** One page of a list as a GraphQL connection: nodes, edges and cursors. @param partOf the nodes of a page */
export function connectionOf<Node>(
  all: readonly Node[],
  requested: PageArguments,
  { isBulk }: QueryContext,
  partOf = (list: readonly Node[], from: number, to: number): readonly Node[] => list.slice(from, to),
) {
  const list = requested.reverse === true ? all.toReversed() : all;
  const [from, to] = isBulk ? [0, list.length] : boundsOf(requested, list.length);
  const nodes = partOf(list, from, to);
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
  if (size < 0 || size > MAX_PAGE_SIZE) throw refused(`first must be between 0 and ${MAX_PAGE_SIZE}`);
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
