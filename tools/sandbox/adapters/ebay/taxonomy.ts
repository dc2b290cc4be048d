import type { FastifyInstance } from 'fastify';
import { pathText, queryText } from '#sandbox/adapters/query.ts';
import { BRANCHES, type Branch } from './category-branches.ts';
import { ebayError } from './ebay-errors.ts';
import { MARKETPLACE_ID } from './inventory.ts';

const TREE = '0';
const VERSION = '137';
const TAXONOMY = '/commerce/taxonomy/v1';

/** The Taxonomy API: which category tree is in use, and the tree. */
export function addTaxonomy(app: FastifyInstance): void {
  app.get(
    `${TAXONOMY}/get_default_category_tree_id`,
    { config: { operation: 'getDefaultCategoryTreeId' } },
    async (request) => {
      if (queryText(request, 'marketplace_id') === MARKETPLACE_ID) {
        return { categoryTreeId: TREE, categoryTreeVersion: VERSION };
      }
      throw ebayError(62_003, 'API_TAXONOMY', 'The marketplace ID was not found.', 400);
    },
  );
  app.get(`${TAXONOMY}/category_tree/:id`, { config: { operation: 'getCategoryTree' } }, async (request) => {
    if (pathText(request, 'id') !== TREE) {
      throw ebayError(62_004, 'API_TAXONOMY', 'The category tree ID was not found.', 404);
    }
    return {
      categoryTreeId: TREE,
      categoryTreeVersion: VERSION,
      applicableMarketplaceIds: [MARKETPLACE_ID],
      rootCategoryNode: {
        category: { categoryId: '0', categoryName: 'Root' },
        categoryTreeNodeLevel: 0,
        childCategoryTreeNodes: Object.values(BRANCHES).map(branchView),
      },
    };
  });
}

function branchView({ id, name, leaf }: Branch) {
  return {
    category: { categoryId: id, categoryName: name },
    categoryTreeNodeLevel: 1,
    childCategoryTreeNodes: [
      {
        category: { categoryId: leaf, categoryName: `Other ${name}` },
        categoryTreeNodeLevel: 2,
        leafCategoryTreeNode: true,
      },
    ],
  };
}
