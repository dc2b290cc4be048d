import { LIMIT_RANGES, type LimitName, type RepricingLimits } from '#contract/repricing-limits.ts';
import { parseBps, parseCents } from '#domain/decimal.ts';
import { MIN_LISTINGS } from '#domain/limits/circuit-breaker.ts';
import { moneyText, percentText } from '#domain/text.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { shortPercent } from '#web/lib/format.ts';
import { typedMoney, typedNumber, typedPercent } from '#web/lib/typed-numbers.ts';

/** In the API's form: money and percentages are text. */
type Value = string | number;

/** One repricing limit on the page: label, parser and explanation. */
export interface LimitField {
  readonly name: LimitName;
  readonly label: string;
  readonly unit: '$' | '%' | 'h' | 'min' | null;
  /** The default of a new install, with its unit. */
  readonly standard: string;
  /** Its effect, in one sentence. */
  readonly does: string;
  /** An example for a value. */
  readonly example: (value: Value) => string;
}

const PRICE = 2_000;

export const LIMIT_GROUPS: readonly { readonly title: string; readonly fields: readonly LimitField[] }[] = [
  {
    title: 'Step and daily limits',
    fields: [
      {
        name: 'maxStep',
        label: 'Step limit (largest change per run)',
        unit: '%',
        standard: '15%',
        does: 'Pricewright never changes a price by more than this percentage in one run.',
        example: (value) => `a price of $20.00 changes to ${aroundPrice(value)} at most.`,
      },
      {
        name: 'maxDailyChange',
        label: 'Daily limit (largest change in 24 hours)',
        unit: '%',
        standard: '30%',
        does: 'All changes within 24 hours stay within this percentage of the price 24 hours ago.',
        example: (value) => `a price of $20.00 changes to ${aroundPrice(value)} at most within 24 hours.`,
      },
      {
        name: 'minStep',
        label: 'Smallest change',
        unit: '$',
        standard: '$0.01',
        does: 'Smaller changes are skipped.',
        example: (value) => smallestChange(parseCents(String(value)) ?? (1 as Cents)),
      },
    ],
  },
  {
    title: 'Timing',
    fields: [
      {
        name: 'maxOfferAgeHours',
        label: 'Maximum offer age',
        unit: 'h',
        standard: '24 h',
        does: 'Older competitor offers are ignored. A marketplace may have its own age, in its settings.',
        example: (value) => `an offer last seen ${value} h ago is used, an older one is not.`,
      },
      {
        name: 'cooldownMinutes',
        label: 'Cooldown between changes',
        unit: 'min',
        standard: '0 min',
        does: 'Pricewright waits this long before changing the same price again.',
        example: (value) =>
          value === 0
            ? 'a price can change again in the next run.'
            : `a price changed at noon stays for ${value} min.`,
      },
    ],
  },
  {
    title: 'Price wars and holds',
    fields: [
      {
        name: 'priceWarThreshold',
        label: 'Price war threshold (cuts)',
        unit: null,
        standard: '6',
        does: 'A listing lowered this often within 24 hours against the same competitor is in a price war.',
        example: (value) => `after ${value} cuts against one competitor, repricing pauses.`,
      },
      {
        name: 'priceWarPauseHours',
        label: 'Price war pause',
        unit: 'h',
        standard: '6 h',
        does: 'How long a listing in a price war keeps its price before repricing resumes.',
        example: (value) => (value === 0 ? 'repricing does not pause.' : `its price stays for ${value} h.`),
      },
      {
        name: 'holdHours',
        label: 'Hold after a manual price',
        unit: 'h',
        standard: '24 h',
        does: 'After someone sets, reverts or undoes a price, the listing stays on hold this long.',
        example: (value) =>
          value === 0
            ? 'the next run can change a manual price.'
            : `a manual price stays for ${value} h, or until you resume repricing.`,
      },
    ],
  },
  {
    title: 'Circuit breaker',
    fields: [
      {
        name: 'breakerDropShare',
        label: 'Maximum share of listings that drop or rise',
        unit: '%',
        standard: '20%',
        does: 'If more than this share of listings would drop in one run or within an hour, or as many would rise, repricing halts before anything is sent. Fewer than five never trigger it.',
        example: (value) => `${countAbove(value)} of 100 listings halt repricing.`,
      },
      {
        name: 'breakerDropDepth',
        label: 'What counts as a drop or rise',
        unit: '%',
        standard: '10%',
        does: 'A cut of this percentage or more counts as a drop; a raise of it or more counts as a rise.',
        example: (value) => `a price of $20.00 has dropped at ${droppedPrice(value)}.`,
      },
      {
        name: 'breakerSameOutcomeShare',
        label: 'Maximum share with the same outcome',
        unit: '%',
        standard: '20%',
        does: 'Repricing halts when more than this share would drop to the margin floor, be blocked or get the same price. Up to 3 times the highest share of the last 10 runs is allowed; before the third run the limit is 50%.',
        example: (value) => `${countAbove(value)} of 100 listings at their margin floor halt repricing.`,
      },
    ],
  },
];

export const LIMIT_FIELDS: readonly LimitField[] = LIMIT_GROUPS.flatMap(({ fields }) => fields);

/** A stored value as the field shows it: "15" instead of "15.00" percent. */
export function limitText({ name, unit }: LimitField, limits: RepricingLimits): string {
  const value = String(limits[name]);
  return unit === '%' ? shortPercent(value) : value;
}

/** The typed text of a field: its value for the API, or its error. */
export function readLimit(
  { name, unit }: LimitField,
  text: string,
): { value: Value; problem: null } | { value: null; problem: string } {
  const [least, most] = LIMIT_RANGES[name];
  const refuse = (problem: string) => ({ value: null, problem });
  if (unit === '%') {
    const value = typedPercent(text);
    const share = value === null ? null : parseBps(value);
    return value !== null && share !== null && share >= least && share <= most
      ? { value, problem: null }
      : refuse(`Enter a percentage from ${least / 100} to ${most / 100}`);
  }
  if (unit === '$') {
    const value = typedMoney(text);
    const amount = value === null ? null : parseCents(value);
    return value !== null && amount !== null && amount >= least && amount <= most
      ? { value, problem: null }
      : refuse(`Enter an amount from ${moneyText(least as Cents)} to ${moneyText(most as Cents)}`);
  }
  const value = typedNumber(text);
  const isWhole = value !== null && Number.isInteger(unit === 'h' ? value * 60 : value);
  if (value !== null && isWhole && value >= least && value <= most) return { value, problem: null };
  if (unit === 'h') return refuse(`Enter hours from ${least} to ${most}, such as 6 or 1.5`);
  return refuse(`Enter a whole number from ${least} to ${most}`);
}

/** "$17.00 or $23.00": the whole cents within a percentage of $20.00. */
function aroundPrice(value: Value): string {
  const share = parseBps(String(value)) ?? (0 as Bps);
  const reach = Math.floor((PRICE * share) / WHOLE);
  return `${moneyText((PRICE - reach) as Cents)} or ${moneyText((PRICE + reach) as Cents)}`;
}

/** The smallest number out of 100 listings above a percentage. */
function countAbove(value: Value): number {
  const share = parseBps(String(value)) ?? (0 as Bps);
  return Math.max(MIN_LISTINGS, Math.floor(share / 100) + 1);
}

/** The highest price in whole cents after a drop from $20.00. */
function droppedPrice(value: Value): string {
  const depth = parseBps(String(value)) ?? (0 as Bps);
  return moneyText(Math.floor((PRICE * (WHOLE - depth)) / WHOLE) as Cents);
}

function smallestChange(least: Cents): string {
  if (least <= 1) return 'every change of $0.01 or more is made.';
  const small = (least - 1) as Cents;
  return `a change of ${moneyText(small)} is skipped, one of ${moneyText(least)} is made.`;
}

/** "At 12.5%" for an example. */
export function valueText({ unit }: LimitField, value: Value): string {
  if (unit === '%') return percentText(parseBps(String(value)) ?? (0 as Bps));
  if (unit === '$') return moneyText(parseCents(String(value)) ?? (0 as Cents));
  return unit === null ? String(value) : `${value} ${unit}`;
}
