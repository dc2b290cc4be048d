import type { ListedRule, RuleList, Rule as RuleView } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readSoldByRules } from '#db/queries/catalog/profit-sums.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { NO_FIGURES, type RuleFigures, readRuleFigures } from '#db/queries/repricing/rule-figures.ts';
import { type RuleRecord, type RuleWrite, readRuleRecords } from '#db/queries/repricing/rules.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Instant } from '#domain/units.ts';
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

/** All rules with what they do now and what sold at their prices, the oldest first, and where the store is. */
export async function listRules(db: Db, now: Instant): Promise<RuleList> {
  const records = await readRuleRecords(db);
  const figures = await readRuleFigures(db, now);
  const soldByRule = await readSoldByRules(db);
  const { timeZone } = await readSettings(db);
  return {
    rules: records.map((record) => {
      const sold = soldByRule.get(record.id);
      const does = figuresView(record.rule.lines?.length ?? 0, figures.get(record.id) ?? NO_FIGURES);
      return { ...ruleView(record), ...does, ...(sold && { sold }) };
    }),
    timeZone,
  };
}

/** @param count how many lines the rule has: those that decide nothing are shown too */
function figuresView(
  count: number,
  {
    appliedTo,
    own,
    lines,
    noLine,
    notRead,
    blocked,
    unknown,
    atMarginFloor,
    knownFloors,
    changes,
  }: RuleFigures,
): Omit<ListedRule, keyof RuleView | 'sold'> {
  const all = Array.from({ length: count }, (_, index) => {
    const line = index + 1;
    return lines.find((each) => each.line === line) ?? { line, listings: 0, held: 0 };
  });
  return {
    appliedTo,
    ownListings: own,
    decidedBy: { lines: all, noLine, notRead, blocked, unknown },
    atMarginFloor,
    knownFloors,
    changesInDay: changes,
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
