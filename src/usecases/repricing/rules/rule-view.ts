import type { RuleList, Rule as RuleView } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readSoldByRules } from '#db/queries/catalog/profit-sums.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { countRuleListings } from '#db/queries/repricing/rule-listings.ts';
import { type RuleRecord, type RuleWrite, readRuleRecords } from '#db/queries/repricing/rules.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps } from '#domain/units.ts';
import { scopeText } from './scope-text.ts';

/** A rule in the API's format. */
export function ruleView({ id, rule, unreadLines, version, createdAt, updatedAt }: RuleRecord): RuleView {
  const text = ruleText(rule);
  return {
    id: String(id),
    ...text,
    // Shown as they are: without them, saving the rule would give it back to its strategy.
    lines: unreadLines ?? text.lines,
    version,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** The settings of a rule as text, for the API and the audit log. */
export function ruleText(rule: RuleWrite): Omit<RuleView, 'id' | 'version' | 'createdAt' | 'updatedAt'> {
  const { name, marketplace, fulfillmentType, strategy, competitorOffset, filter } = rule;
  const { isActive, requiresReview, noCompetitor, belowFloor, otherChannels, refuseCrossChannel } = rule;
  return {
    name,
    marketplace,
    fulfillmentType,
    strategy,
    minimumMargin: decimalFromBps(rule.minimumMargin),
    marketplaceMargins: marginTexts(rule.marketplaceMargins),
    competitorOffset: competitorOffset === null ? null : decimalFromCents(competitorOffset),
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
    refuseCrossChannel,
    filter: {
      minRating: percentOrNull(filter?.minRating ?? null),
      minRatingCount: filter?.minRatingCount ?? null,
      maxHandlingDays: filter?.maxHandlingDays ?? null,
      ignoreSellers: [...(filter?.ignoreSellers ?? [])],
      fulfillmentType: filter?.fulfillmentType ?? null,
    },
    lines: rule.lines === null ? null : printLines(rule.lines),
    targetMargin: percentOrNull(rule.targetMargin),
    marketplaceTargets: marginTexts(rule.marketplaceTargets),
    winShare: decimalFromBps(rule.winShare),
    onlySameShipping: rule.onlySameShipping,
    ignoreUnderFloor: percentOrNull(rule.ignoreUnderFloor),
    ...scopeText(rule),
  };
}

/** All rules with the number of listings they price and what sold at their prices, the oldest first, and where the store is. */
export async function listRules(db: Db): Promise<RuleList> {
  const records = await readRuleRecords(db);
  const counts = new Map((await countRuleListings(db)).map((count) => [count.ruleId, count]));
  const soldByRule = await readSoldByRules(db);
  const { timeZone } = await readSettings(db);
  return {
    rules: records.map((record) => {
      const sold = soldByRule.get(record.id);
      const { appliedTo, own } = counts.get(record.id) ?? { appliedTo: 0, own: 0 };
      return { ...ruleView(record), appliedTo, ownListings: own, ...(sold && { sold }) };
    }),
    timeZone,
  };
}

function marginTexts(margins: Partial<Readonly<Record<Marketplace, Bps>>>): RuleView['marketplaceMargins'] {
  const texts: RuleView['marketplaceMargins'] = {};
  for (const marketplace of MARKETPLACES) {
    const margin = margins[marketplace];
    if (margin !== undefined) texts[marketplace] = decimalFromBps(margin);
  }
  return texts;
}

function percentOrNull(share: Bps | null): string | null {
  return share === null ? null : decimalFromBps(share);
}
