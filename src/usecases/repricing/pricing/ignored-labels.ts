import type { Db } from '#db/client.ts';
import { hiddenSellers } from '#db/queries/marketplaces/connections/ebay-sellers.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import type { Rule } from '#domain/rules/rule.ts';

/**
 * The rules with the labels of the sellers that they ignore: the names of sellers on eBay are not stored with their
 * offers, only labels are.
 */
export async function ignoringLabels<One extends Pick<Rule, 'filter'>>(
  db: Db,
  rules: readonly One[],
): Promise<One[]> {
  const keys = new Set(rules.flatMap(({ filter }) => [...(filter?.ignoreSellers ?? [])]));
  const hidden = await hiddenSellers(db, [...keys]);
  return rules.map((rule) => {
    const { filter } = rule;
    if (filter === null || filter.ignoreSellers.size === 0) return rule;
    const labels = [...filter.ignoreSellers].flatMap((key) => sellerKey(hidden.get(key)?.label) ?? []);
    return { ...rule, filter: { ...filter, ignoreSellers: new Set([...filter.ignoreSellers, ...labels]) } };
  });
}
