import type { RuleForm } from '#contract/rules.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { BELOW_FLOOR_LABELS, NO_COMPETITOR_LABELS } from './option-labels.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';
import { scopeText } from './scope-text.ts';

/** A field that differs between two versions of a rule, as the form shows it. */
export interface RuleDifference {
  readonly label: string;
  readonly mine: string;
  readonly saved: string;
}

const BLANK = 'blank';
const onOff = (isOn: boolean | undefined): string => (isOn === true ? 'on' : 'off');
const orBlank = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? BLANK : String(value);

/** The fields in the order of the form, with their labels. */
const FIELDS: readonly (readonly [label: string, text: (form: RuleForm, zone: string) => string])[] = [
  ['Name', ({ name }) => orBlank(name)],
  ['Strategy', ({ strategy }) => strategy],
  ['Lines', ({ lines }) => orBlank(lines)],
  ['Target margin', ({ targetMargin }) => orBlank(targetMargin)],
  ['Target margin by marketplace', ({ marketplaceTargets }) => marginsText(marketplaceTargets ?? {})],
  ['Winning from a buy box share of', ({ winShare }) => orBlank(winShare)],
  ['Ignore offers below your lowest price by more than', ({ ignoreUnderFloor }) => orBlank(ignoreUnderFloor)],
  ['Same shipping only', ({ onlySameShipping, lines }) => onOff(onlySameShipping ?? !lines)],
  ['Require review', ({ requiresReview }) => onOff(requiresReview)],
  ['Active', ({ isActive }) => onOff(isActive)],
  ['Which listings', scopeText],
  ['Min. Margin %', ({ minimumMargin }) => orBlank(minimumMargin)],
  ['Competitor Offset', ({ competitorOffset }) => orBlank(competitorOffset)],
  ['Minimum margin by marketplace', ({ marketplaceMargins }) => marginsText(marketplaceMargins ?? {})],
  ['No competitor', ({ noCompetitor }) => NO_COMPETITOR_LABELS[noCompetitor ?? 'keep']],
  ['Competitor is below your margin floor', ({ belowFloor }) => BELOW_FLOOR_LABELS[belowFloor ?? 'floor']],
  ['Include other channels', ({ otherChannels }) => onOff(otherChannels)],
  ['Never higher on Walmart or Amazon', ({ refuseCrossChannel }) => onOff(refuseCrossChannel)],
  ['Minimum seller rating (% positive)', ({ filter }) => orBlank(filter?.minRating)],
  ['Minimum number of ratings', ({ filter }) => orBlank(filter?.minRatingCount)],
  ['Maximum handling time (days)', ({ filter }) => orBlank(filter?.maxHandlingDays)],
  ['Shipped by', ({ filter }) => orBlank(filter?.fulfillmentType)],
  ['Sellers to ignore', ({ filter }) => orBlank(filter?.ignoreSellers?.join(', '))],
];

/**
 * The fields with different values: "15" and "15.00" are equal.
 * @param zone in which times of a rule count
 */
export function differencesBetween(mine: RuleDraft, saved: RuleDraft, zone: string): RuleDifference[] {
  const [mineForm, savedForm] = [formOf(mine), formOf(saved)];
  return FIELDS.map(([label, text]) => ({
    label,
    mine: text(mineForm, zone),
    saved: text(savedForm, zone),
  })).filter((each) => each.mine !== each.saved);
}

function marginsText(margins: NonNullable<RuleForm['marketplaceMargins']>): string {
  const texts = Object.entries(margins).map(
    ([channel, margin]) => `${MARKETPLACE_NAMES[channel as keyof typeof MARKETPLACE_NAMES]} ${margin}%`,
  );
  return orBlank(texts.sort().join(', '));
}
