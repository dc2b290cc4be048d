import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import { CategoryNode, CategoryTree, CategoryTreeId } from './ebay-responses.ts';

/** eBay's tree for the United States. */
const US_MARKETPLACE = 'EBAY_US';
/** eBay's has six levels. */
const MAX_DEPTH = 20;

/** Categories with their ancestors, from the top: "11450/15709". */
export type CategoryPaths = ReadonlyMap<string, string>;

const UNKNOWN: CategoryPaths = new Map();

/** Finds the paths of eBay's categories. */
export interface EbayCategories {
  /** Empty where they cannot be read: the catalog is synced without them. */
  paths(account: Account, signal: AbortSignal): Promise<CategoryPaths>;
}

/** Reads the tree once, and again when eBay has another version of it: the same for all accounts. */
export function createCategories(calls: EbayCalls): EbayCategories {
  let known: { readonly version: string; readonly paths: CategoryPaths } | null = null;
  return {
    async paths(account, signal) {
      if (credentialsOf(account).marketplaceId !== US_MARKETPLACE) return UNKNOWN;
      try {
        const { id, version } = await newestTree(calls, account, signal);
        if (known?.version !== version)
          known = { version, paths: await readTree(calls, account, id, signal) };
        return known.paths;
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
        return known?.paths ?? UNKNOWN;
      }
    },
  };
}

async function newestTree(calls: EbayCalls, account: Account, signal: AbortSignal) {
  const path = `/commerce/taxonomy/v1/get_default_category_tree_id?marketplace_id=${US_MARKETPLACE}`;
  const answer = await calls.asBuyer(account, { method: 'GET', path, operation: 'categories' }, signal);
  return parseResponse(NAME, CategoryTreeId, answer, 'number of the category tree');
}

async function readTree(
  calls: EbayCalls,
  account: Account,
  id: string,
  signal: AbortSignal,
): Promise<CategoryPaths> {
  const path = `/commerce/taxonomy/v1/category_tree/${id}`;
  const answer = await calls.asBuyer(account, { method: 'GET', path, operation: 'categories' }, signal);
  const { children } = parseResponse(NAME, CategoryTree, answer, 'category tree');
  const paths = new Map<string, string>();
  let level: readonly { readonly node: unknown; readonly above: string }[] = below(children, '');
  // Level by level, so that a tree of any depth uses no stack.
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    level = level.flatMap(({ node, above }) => {
      const body = { status: answer.status, body: node };
      const { id: own, children: more } = parseResponse(NAME, CategoryNode, body, 'category');
      const place = above === '' ? own : `${above}/${own}`;
      paths.set(own, place);
      return below(more, place);
    });
  }
  return paths;
}

function below(nodes: readonly unknown[], above: string) {
  return nodes.map((node) => ({ node, above }));
}
