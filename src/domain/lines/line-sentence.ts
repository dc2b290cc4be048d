import type { Competition } from '#domain/competition/competition.ts';
import { notReadText } from '#domain/competition/competition-text.ts';
import { noFeaturedPriceText, notFeaturedText } from '#domain/competition/featured-price-text.ts';
import type { Offer } from '#domain/competition/offer.ts';
import type { DecidingLine } from '#domain/decision/decision.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { ageText, moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents, Millis } from '#domain/units.ts';
import { shiftAgainst } from './compile-target.ts';
import type { Line, LineAction, Target } from './line.ts';
import type { LineStep } from './lines-price.ts';
import { relationOf } from './market.ts';
import { amountText, beforeText, hoursText, targetText } from './print-lines.ts';

/** What the sentence about a line is made from. */
export interface LineSentence {
  readonly line: DecidingLine;
  readonly steps: readonly LineStep[];
  readonly lines: readonly Line[];
  readonly facts: ListingFacts;
  readonly rule: Rule;
  readonly policy: Policy;
  readonly competition: Competition;
}

/** How a line came to its price, without a full stop: "Losing the buy box: 4% under Acme's $20.00 is $19.20 (line 3)". */
export function linePriceText(context: LineSentence): string {
  const step = decidingStep(context);
  const action = actionOf(context);
  if (step === null || action === null || action.kind === 'hold') return 'The price of the rule';
  const start = situationText(context);
  const turn = turnText(context);
  if (action.kind !== 'ask') {
    return `${started(start, `${action.kind === 'raise' ? 'raised' : 'lowered'} to ${money(step.want)}, by up to ${amountText(action.by)} every ${hoursText(action.every)}`)}${numberText(context)}`;
  }
  const before = tooLowText(context);
  const requested = askText(action, step, context);
  if (before === null) return `${started(start, requested)}${turn}${numberText(context)}`;
  return `${started(start, before)}, so line ${context.line.number} applies: ${requested}${turn}`;
}

/** Why a line leaves the price, with a full stop. */
export function lineHoldText(context: LineSentence): string {
  const action = actionOf(context);
  const step = decidingStep(context);
  const isTooLow =
    action?.kind === 'ask' && step !== null && step.least !== null && (step.want ?? 0) < step.least;
  const why = isTooLow ? `${tooLow(action.target, step, context)}: the price stays` : 'the price stays';
  return `${started(situationText(context), why)}${numberText(context)}.`;
}

/** When a line moves the price again, with a full stop. */
export function lineWaitsText(context: LineSentence): string {
  const action = actionOf(context);
  const last = context.facts.lastChangedAt;
  if (action === null || (action.kind !== 'raise' && action.kind !== 'lower') || last === null)
    return lineHoldText(context);
  const left = Math.max(0, last + action.every - context.policy.now) as Millis;
  const next = `the next ${action.kind === 'raise' ? 'raise' : 'cut'} of ${amountText(action.by)} is due in ${ageText(left)}`;
  return `${started(situationText(context), next)}${numberText(context)}.`;
}

/**
 * What else there is to say where a line follows the featured offer price: that the price is above it, or why the
 * line was passed over and the price stays. One or more sentences; null for nothing.
 * @param price the price of the decision
 * @param isKept no line found a price
 */
export function featuredLineText(
  { steps, lines, facts, policy }: Pick<LineSentence, 'steps' | 'lines' | 'facts' | 'policy'>,
  price: Cents | null,
  isKept: boolean,
): string | null {
  const requested = steps.findLast(({ line }) => asksForFeatured(lines[line - 1]));
  const reported = facts.featuredPrice;
  if (requested?.status === 'decided') {
    return reported === null || price === null ? null : notFeaturedText(reported, price);
  }
  const isUnknown =
    requested?.status === 'unknown' && requested.condition === null && requested.want === null;
  if (!isUnknown || !isKept) return null;
  return facts.marketplace === 'amazon'
    ? noFeaturedPriceText(reported, policy.now)
    : `${MARKETPLACE_NAMES[facts.marketplace]} has no featured offer price to follow.`;
}

function asksForFeatured(line: Line | undefined): boolean {
  return line?.action.kind === 'ask' && line.action.target.kind === 'featured';
}

function decidingStep({ steps }: LineSentence): LineStep | null {
  const last = steps[steps.length - 1];
  return last?.status === 'decided' ? last : null;
}

function actionOf({ lines, line }: LineSentence): LineAction | null {
  return lines[line.number - 1]?.action ?? null;
}

/** The rule has one line, or the number of the deciding one. */
function numberText({ lines, line }: LineSentence): string {
  return lines.length === 1 ? '' : ` (line ${line.number})`;
}

function started(start: string | null, rest: string): string {
  return start === null ? rest.charAt(0).toUpperCase() + rest.slice(1) : `${start}: ${rest}`;
}

/** What the rule saw; null where it does not look. */
function situationText(context: LineSentence): string | null {
  const { line, facts, competition, policy } = context;
  const share = facts.signals?.boxShare ?? null;
  const box = share === null ? '' : ` the buy box (${percentText(share)} of the last 6 h)`;
  switch (line.situation) {
    case null:
      return null;
    case 'winning':
      return `Winning${box}`;
    case 'losing':
      return `Losing${box}`;
    case 'suppressed':
      return 'No one holds the buy box';
    case 'not_read':
      return notReadText({ competition, facts, policy });
    case 'alone':
      return competition.readAt === null
        ? 'No competitor'
        : `No competitor (read ${ageText((policy.now - competition.readAt) as Millis)} ago)`;
  }
}

/** The last line above that asked for a price that is too low; null without one. */
function tooLowText(context: LineSentence): string | null {
  const step = context.steps.findLast(({ status }) => status === 'too_low');
  const action = step === undefined ? null : (context.lines[step.line - 1]?.action ?? null);
  return step === undefined || action?.kind !== 'ask' ? null : tooLow(action.target, step, context);
}

function tooLow(target: Target, { want, least, competitor }: LineStep, context: LineSentence): string {
  return `${phraseOf(target, competitor, context)} would be ${money(want)}, below ${money(least)}, the lowest price this line allows`;
}

function askText(
  action: Extract<LineAction, { kind: 'ask' }>,
  step: LineStep,
  context: LineSentence,
): string {
  const { want, uncapped, competitor } = step;
  const { notUnder } = context.line;
  const cap = want === uncapped ? '' : `, not over ${money(want)}`;
  const requested = `${phraseOf(action.target, competitor, context)} is ${money(uncapped)}${cap}`;
  // A bound below the lowest allowed price, or below what the line asks for, changes nothing.
  return want === null || notUnder === null || want >= notUnder
    ? requested
    : `${requested}, not under ${money(notUnder)}`;
}

/** "12% under BestGoods's $24.99 (ships faster)" */
function phraseOf(target: Target, competitor: Offer | null, context: LineSentence): string {
  const { facts } = context;
  if (
    competitor !== null &&
    (target.kind === 'lowest' || target.kind === 'seller' || target.kind === 'box')
  ) {
    const { fulfillmentType, shippingCharge } = facts;
    const shift = shiftAgainst(target.by, competitor, fulfillmentType);
    const charge =
      shippingCharge === null || shippingCharge === 0
        ? ''
        : `, less your ${moneyText(shippingCharge)} shipping charge,`;
    return `${beforeText(shift)}${offerText(competitor)}${RELATION_TEXT[relationOf(competitor, fulfillmentType)]}${charge}`;
  }
  switch (target.kind) {
    case 'own':
      return `${beforeText(target.by)}your own price of ${money(facts.anchorPrice)}`;
    case 'current':
      return `${beforeText(target.by)}your current price of ${money(facts.currentPrice)}`;
    case 'featured':
      return `${beforeText(target.by)}the featured offer expected price`;
    case 'external':
      return `${beforeText(target.by)}your external price of ${money(facts.signals?.externalPrice?.price ?? null)}`;
    case 'sister':
      return `${beforeText(target.by)}your price of ${money(sisterPrice(target, facts))} for ${target.sku}${target.marketplace === null ? '' : ` on ${MARKETPLACE_NAMES[target.marketplace]}`}`;
    case 'channel':
      return `${beforeText(target.by)}your ${MARKETPLACE_NAMES[target.marketplace]} price`;
    case 'margin':
      return `the lowest price with your ${percentText(target.margin ?? targetOf(context))} margin`;
    case 'floor':
      return 'your lowest allowed price';
    case 'ceiling':
      return 'your highest allowed price';
    default:
      return targetText(target);
  }
}

/** Landed, as it is compared. */
function sisterPrice(
  { sku, marketplace }: Extract<Target, { kind: 'sister' }>,
  facts: ListingFacts,
): number | null {
  const on = marketplace ?? facts.marketplace;
  const sister = facts.signals?.sisters.find((each) => each.sku === sku && each.marketplace === on);
  return sister === undefined ? null : sister.price + sister.shippingCharge;
}

function targetOf({ rule, facts }: LineSentence): Bps {
  return rule.marketplaceTargets[facts.marketplace] ?? rule.targetMargin ?? (0 as Bps);
}

const RELATION_TEXT = {
  equal: '',
  faster: ' (ships faster)',
  slower: ' (ships slower)',
  marketplace: '',
  unknown: ' (shipper not known)',
} as const;

function offerText({ sellerName, price, shipping }: Offer): string {
  const landed = moneyText((price + shipping) as Cents);
  return sellerName === null ? `the offer of ${landed}` : `${sellerName}'s ${landed}`;
}

function turnText({ lines, line }: LineSentence): string {
  const turn = lines[line.number - 1]?.turn ?? null;
  return turn === null
    ? ''
    : `, for ${hoursText(turn.lasts)}; then this line rests for ${hoursText(turn.rests)}`;
}

function money(amount: number | null): string {
  return amount === null ? 'unknown' : moneyText(amount as Cents);
}
