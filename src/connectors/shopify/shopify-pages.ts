import { ConnectorError } from '#connectors/connector-error.ts';
import { NAME } from './shopify-calls.ts';

const MAX_PAGES = 20_000;

interface Page<Row> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
  readonly nodes: readonly Row[];
}

/**
 * Pagination. A page that is too expensive for Shopify is requested again with half as many rows.
 * @param most rows per page
 * @throws ConnectorError; also when a cursor is repeated
 */
export async function* pagesOf<Row>(
  most: number,
  ask: (first: number, after: string | null) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>();
  let first = most;
  let after: string | null = null;
  while (seen.size < MAX_PAGES) {
    const page: Page<Row> | null = await ask(first, after).catch((error: unknown) => {
      const isTooDear = error instanceof ConnectorError && error.code === 'MAX_COST_EXCEEDED';
      if (!isTooDear || first === 1) throw error;
      return null;
    });
    if (page === null) {
      first = Math.ceil(first / 2);
      continue;
    }
    if (page.nodes.length > 0) yield page.nodes;
    const { hasNextPage, endCursor }: Page<Row>['pageInfo'] = page.pageInfo;
    if (!hasNextPage || page.nodes.length === 0) return;
    if (!endCursor || seen.has(endCursor)) {
      throw new ConnectorError('unreadable', `${NAME} answered with pages that do not go on.`);
    }
    seen.add(endCursor);
    after = endCursor;
  }
  throw new ConnectorError('too_large', `${NAME} has more items than can be synced at once.`);
}
