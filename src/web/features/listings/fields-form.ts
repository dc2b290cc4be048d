import type { ListingFieldsForm, ListingRow } from '#contract/listings.ts';
import { decimalFromCents, parseBps } from '#domain/decimal.ts';
import { isAmount, isPrice, WHOLE } from '#domain/units.ts';
import { readAmountText } from './typed-price.ts';

/** Fields that are an amount of money, in the order of the form. */
export const AMOUNT_FIELDS = {
  minPrice: {
    label: 'Minimum price',
    hint: 'Pricewright never goes below this price. Leave blank to use the margin floor only.',
    isPrice: true,
  },
  maxPrice: {
    label: 'Maximum price',
    hint: 'Pricewright never goes above this price. Leave blank to use the price ceiling.',
    isPrice: true,
  },
  mapPrice: {
    label: 'MAP price',
    hint: 'Pricewright never goes below this price while it is in effect. If the marketplace has a MAP price too, the higher one applies.',
    isPrice: true,
  },
  externalPrice: {
    label: 'External price',
    hint: 'A price from another source, such as your supplier. Rules with the target "external price" use it for 7 days.',
    isPrice: true,
  },
  shippingCharge: { label: 'Shipping charge', hint: 'What the buyer pays for shipping.', isPrice: false },
  shippingCost: {
    label: 'Shipping cost',
    hint: 'Your cost to ship one unit. Leave blank to use the shipping tier; FBA/WFS needs none.',
    isPrice: false,
  },
  fulfillmentCost: { label: 'FBA/WFS fee', hint: 'Per unit; ignored for FBM.', isPrice: false },
} as const;
export type AmountField = keyof typeof AMOUNT_FIELDS;
export type FieldName = AmountField | PercentField | DayField | TextName | 'ruleId';
/** Fields that are a percentage of what the buyer pays; empty clears them. */
export const PERCENT_FIELDS = {
  feeRate: {
    label: 'Own commission',
    hint: 'Overrides the fee the marketplace reports. Leave blank to use that fee or the fee schedule.',
  },
  adShare: {
    label: 'Advertising',
    hint: 'Included in the margin floor. Leave blank to use the share set for the marketplace.',
  },
  returnShare: {
    label: 'Returns',
    hint: 'Included in the margin floor. Leave blank to use the share set for the marketplace.',
  },
} as const;
export type PercentField = keyof typeof PERCENT_FIELDS;
/** Fields that are a day; empty clears them. */
export const DAY_FIELDS = {
  mapFrom: { label: 'MAP price from', hint: 'First day, such as 2026-11-20. Leave blank for no first day.' },
  mapUntil: { label: 'MAP price until', hint: 'Last day. Leave blank for no last day.' },
} as const;
export type DayField = keyof typeof DAY_FIELDS;
const DAY = /^20\d{2}-\d{2}-\d{2}$/;
/** Fields that are a text; empty clears them. */
export const TEXT_FIELDS = {
  feeCategory: {
    label: 'Fee category',
    hint: 'As named in your fee schedule. Leave blank to use the standard fee.',
  },
  brand: { label: 'Brand', hint: 'Who makes it. Leave blank to use the brand of the SKU.' },
  supplier: { label: 'Supplier', hint: 'Who you buy it from. Leave blank to use the supplier of the SKU.' },
} as const;
export type TextName = keyof typeof TEXT_FIELDS;

/** Fields that may apply from an earlier day: sales since then are calculated with them. */
export const DATED_FIELDS = ['shippingCost', 'fulfillmentCost', 'feeRate', 'feeCategory'] as const;

/** Fields that move margin floors, by costs, fees or the minimum margin of a rule: the impact is shown before saving. */
export const FLOOR_FIELDS = [...DATED_FIELDS, 'shippingCharge', 'adShare', 'returnShare', 'ruleId'] as const;

/** Texts of the form; a field that is not in it is not changed. */
export type FieldTexts = Readonly<Partial<Record<FieldName, string>>>;

/** The initial values of the form of one listing. */
export function textsOf(row: ListingRow): Required<FieldTexts> {
  return {
    minPrice: row.minPrice ?? '',
    maxPrice: row.maxPrice ?? '',
    mapPrice: row.mapPrice ?? '',
    mapFrom: row.mapFrom ?? '',
    mapUntil: row.mapUntil ?? '',
    externalPrice: row.externalPrice ?? '',
    shippingCharge: row.shippingCharge,
    shippingCost: row.shippingCost ?? '',
    fulfillmentCost: row.fulfillmentCost ?? '',
    feeRate: row.ownFeeRate ?? '',
    adShare: row.adShare ?? '',
    returnShare: row.returnShare ?? '',
    feeCategory: row.feeCategory ?? '',
    brand: row.ownBrand ?? '',
    supplier: row.ownSupplier ?? '',
    ruleId: row.ownRuleId ?? '',
  };
}

export interface ReadFields {
  readonly fields: ListingFieldsForm;
  /** Errors by field; empty if everything is valid. */
  readonly problems: Readonly<Partial<Record<FieldName, string>>>;
}

/** Parses the texts of the form: empty clears a field, except the shipping charge, which is then zero. */
export function readFields(texts: FieldTexts): ReadFields {
  const fields: ListingFieldsForm = {};
  const problems: Partial<Record<FieldName, string>> = {};
  for (const name of Object.keys(AMOUNT_FIELDS) as AmountField[]) {
    const text = texts[name];
    if (text === undefined) continue;
    const amount = readAmountText(text);
    const { isPrice: isMoreThanZero } = AMOUNT_FIELDS[name];
    if (text.trim() === '') fields[name] = name === 'shippingCharge' ? '0.00' : '';
    else if (amount !== null && (isMoreThanZero ? isPrice(amount) : isAmount(amount)))
      fields[name] = decimalFromCents(amount);
    else problems[name] = `Enter an amount${isMoreThanZero ? ' above zero' : ''} such as 19.99`;
  }
  for (const name of Object.keys(PERCENT_FIELDS) as PercentField[]) {
    const text = texts[name]?.trim().replace(/%$/, '').trim();
    if (text === undefined) continue;
    const share = text === '' ? null : parseBps(text);
    if (text === '' || (share !== null && share >= 0 && share < WHOLE)) fields[name] = text;
    else problems[name] = 'Enter a percentage from 0 to 99.99';
  }
  for (const name of Object.keys(DAY_FIELDS) as DayField[]) {
    const text = texts[name]?.trim();
    if (text === undefined) continue;
    if (text === '' || (DAY.test(text) && !Number.isNaN(Date.parse(text)))) fields[name] = text;
    else problems[name] = 'Enter a day such as 2026-11-20';
  }
  for (const name of Object.keys(TEXT_FIELDS) as TextName[]) {
    const text = texts[name];
    if (text !== undefined) fields[name] = text.trim() === '' ? null : text.trim();
    if (name !== 'feeCategory' && text?.includes('|')) problems[name] = 'Remove the | character';
  }
  const cleared = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value]),
  );
  const { ruleId } = texts;
  return {
    fields: {
      ...cleared,
      ...(ruleId === undefined ? {} : { ruleId: ruleId === '' ? null : ruleId }),
    },
    problems: { ...problems, ...rangeProblem(texts), ...dayProblem(texts) },
  };
}

function rangeProblem(texts: FieldTexts): { maxPrice?: string } {
  const least = readAmountText(texts.minPrice ?? '');
  const most = readAmountText(texts.maxPrice ?? '');
  if (least === null || most === null || least <= most) return {};
  return { maxPrice: 'Enter a maximum price at or above the minimum price' };
}

function dayProblem({ mapFrom = '', mapUntil = '' }: FieldTexts): { mapUntil?: string } {
  const isInOrder = mapFrom.trim() === '' || mapUntil.trim() === '' || mapFrom.trim() <= mapUntil.trim();
  return isInOrder ? {} : { mapUntil: 'Enter a last day that is not before the first one' };
}
