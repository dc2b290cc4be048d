/** Longer texts are no numbers. */
const LONGEST = 40;

const SPACES = /[\s\u00a0\u2007\u2009\u202f]+/g;
const DOLLARS_BEFORE = /^(-?)(?:US ?\$|USD ?\$?|\$) ?/i;
const DOLLARS_BEHIND = / ?(?:US ?\$|USD|\$)$/i;
const OTHER_SIGN = /[€£¥₹₽₩]|(?:CA|C|AU|A|NZ|HK|MX|R)\$/i;
const OTHER_CODE =
  /(?:^|[\d .,])(EUR|GBP|CAD|AUD|NZD|MXN|JPY|CHF|CNY|RMB|INR|SEK|NOK|DKK|PLN|CZK|BRL|HKD|SGD)(?:$|[\d .,])/i;
/** Groups of three digits with spaces or apostrophes between them: no other number looks like that. */
const SPACED = /^\d{1,3}(?:[ '’]\d{3}){1,3}(?:[.,]\d{1,4})?$/;

/** An amount without its currency, or the other currency that it is in. */
export type WrittenMoney = { readonly number: string } | { readonly otherCurrency: string };

/** One space in place of any. */
function tidy(text: string): string {
  return text.trim().replace(SPACES, ' ');
}

/**
 * An amount without what is written around it: "US$ 1 234,50" is 1234,50, and "12.5 USD" is 12.5. Which of the marks in it
 * is the decimal one stays open.
 * @returns null for a text that is too long for a number
 */
export function writtenMoney(text: string): WrittenMoney | null {
  if (text.length > LONGEST) return null;
  const tidied = tidy(text);
  const other = OTHER_SIGN.exec(tidied)?.[0] ?? OTHER_CODE.exec(tidied)?.[1];
  if (other !== undefined && /\d/.test(tidied)) return { otherCurrency: other };
  return { number: withoutGroups(tidied.replace(DOLLARS_BEFORE, '$1').replace(DOLLARS_BEHIND, '')) };
}

/** A number without spaces or apostrophes between its thousands: "1 234,50" is 1234,50. */
function withoutGroups(text: string): string {
  return SPACED.test(text) ? text.replace(/[ '’]/g, '') : text;
}

/** One number of a measure, and the unit behind it. */
export interface WrittenMeasure<Unit extends string> {
  /** With a decimal point or comma. */
  readonly number: string;
  readonly unit: Unit;
}

const MEASURES = /^([\d.,]+) ?([a-z"″'′]{1,12})\.?(?:,? ([\d.,]+) ?([a-z"″'′]{1,12})\.?)?$/i;

/**
 * A measure with its unit in the cell: "2 lb", "4 lb 6 oz", "900g", '10"'.
 * @param words by unit, in lower case
 * @returns one or two numbers with their units, or null for a number alone and for any other text
 */
export function writtenMeasures<Unit extends string>(
  text: string,
  words: Readonly<Record<Unit, readonly string[]>>,
): readonly WrittenMeasure<Unit>[] | null {
  if (text.length > LONGEST) return null;
  const [, first, firstUnit, second, secondUnit] = MEASURES.exec(tidy(text)) ?? [];
  if (first === undefined || firstUnit === undefined) return null;
  const unitOf = (word: string): Unit | undefined =>
    (Object.keys(words) as Unit[]).find((unit) => words[unit].includes(word.toLowerCase()));
  const unit = unitOf(firstUnit);
  if (unit === undefined) return null;
  if (second === undefined || secondUnit === undefined) return [{ number: first, unit }];
  const smaller = unitOf(secondUnit);
  // "4 lb 6 oz" and "5 ft 3 in" are sums; the same unit twice is not.
  return smaller === undefined || smaller === unit
    ? null
    : [
        { number: first, unit },
        { number: second, unit: smaller },
      ];
}

const UNKNOWN = new Set([
  ...['n/a', 'n.a.', 'na', '#n/a', 'none', 'null', 'nil', 'unknown', 'tbd', 'tba', 'not available'],
  ...['?', '-', '–', '—', '--'],
]);

/** Whether a cell says in words that its number is not known: that is no zero. */
export function saysUnknown(text: string): boolean {
  return text.length <= LONGEST && UNKNOWN.has(tidy(text).toLowerCase());
}
