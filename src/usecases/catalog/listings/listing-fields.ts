import type { ListingFields, ListingFieldsForm } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { type ListingChange, type ListingRecord, ruleExists } from '#db/queries/catalog/listing-writes.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { requirePast } from '#usecases/require-past.ts';

/** Maps the contract's fields to the database's. */
export function changeOf({ ruleId, costSince: _, ...same }: ListingFields): ListingChange {
  if (ruleId === undefined) return same;
  return { ...same, ruleId: ruleId === null ? null : Number(ruleId) };
}

/** Who entered the commission of an edit; nothing where it is not edited. */
export function rateBy({ feeRate }: ListingFields, by: string): Pick<ListingChange, 'feeRateBy'> {
  return feeRate === undefined ? {} : { feeRateBy: feeRate === null ? null : by };
}

/**
 * Checks what is the same for every listing of an edit.
 * @throws AppError validation_failed
 */
export async function checkFields(db: Db, fields: ListingFields, now: Instant): Promise<void> {
  const { minPrice, maxPrice, mapFrom, mapUntil, ruleId, costSince } = fields;
  requirePast(costSince, now, 'fields.costSince');
  if (Object.values({ ...fields, costSince: undefined }).every((value) => value === undefined)) {
    throw new AppError('validation_failed', 'Nothing was changed. Choose what to set.');
  }
  const isOutOfOrder = minPrice != null && maxPrice != null && minPrice > maxPrice;
  if (isOutOfOrder) throw invalid('minPrice', outOfOrder(minPrice, maxPrice));
  if (mapFrom != null && mapUntil != null && mapFrom > mapUntil) {
    throw invalid('mapFrom', mapDaysOutOfOrder(mapFrom, mapUntil));
  }
  if (ruleId != null && !(await ruleExists(db, Number(ruleId)))) {
    throw invalid('ruleId', 'This rule no longer exists. Choose another one.');
  }
}

/**
 * Why these fields cannot be set on this listing; null when they can. A maximum below the margin floor is allowed:
 * repricing then reports it.
 */
export function problemWith(listing: ListingRecord, fields: ListingFields): string | null {
  const { minPrice, maxPrice, mapFrom = listing.mapFrom, mapUntil = listing.mapUntil } = fields;
  if (mapFrom !== null && mapUntil !== null && mapFrom > mapUntil)
    return mapDaysOutOfOrder(mapFrom, mapUntil);
  const least = minPrice === undefined ? listing.minPrice : minPrice;
  const most = maxPrice === undefined ? listing.maxPrice : maxPrice;
  return least !== null && most !== null && least > most ? outOfOrder(least, most) : null;
}

function mapDaysOutOfOrder(from: string, until: string): string {
  return `The MAP price would begin on ${from}, after its last day ${until}. Correct one of the two days.`;
}

/** An edit that clears the MAP price clears its days too: they say nothing without it. */
export function withMapDays(fields: ListingFields): ListingFields {
  return fields.mapPrice === null ? { ...fields, mapFrom: null, mapUntil: null } : fields;
}

function outOfOrder(least: Cents, most: Cents): string {
  return `The minimum price ${moneyText(least)} would be above the maximum price ${moneyText(most)}. Lower one or raise the other.`;
}

function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', message, { fields: { [`fields.${field}`]: message } });
}

/** The edited fields as the audit log shows them, and as the contract parses them again. */
export function formOf(fields: ListingFields): ListingFieldsForm {
  const form: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isAmount = typeof value === 'number' && name !== 'costSince';
    form[name] = isAmount ? decimalText(value) : value;
  }
  const { costSince } = fields;
  return costSince === undefined ? form : { ...form, costSince: new Date(costSince).toISOString() };
}

/** Cents as dollars, basis points as percent: both are hundredths. */
function decimalText(value: number): string {
  return decimalFromCents(value as Cents);
}

/** Fields as the audit log stores them, and whether the fee was an estimate. */
export type FieldsBefore = ListingFieldsForm & { readonly fulfillmentCostIsEstimate?: true };

/** The values of those fields before an edit. */
export function fieldsBefore(listing: ListingRecord, fields: ListingFields): FieldsBefore {
  const wasEstimate = fields.fulfillmentCost !== undefined && listing.fulfillmentCostIsEstimate;
  return { ...formBefore(listing, fields), ...(wasEstimate ? { fulfillmentCostIsEstimate: true } : {}) };
}

function formBefore(listing: ListingRecord, fields: ListingFields): ListingFieldsForm {
  const { ruleId, ...same } = listing;
  const before: Record<string, unknown> = {
    ...same,
    ruleId: ruleId === null ? null : String(ruleId),
    // What is restored applies from the same day.
    costSince: fields.costSince,
  };
  const touched = Object.entries(fields).filter(([, value]) => value !== undefined);
  return formOf(Object.fromEntries(touched.map(([name]) => [name, before[name]])) as ListingFields);
}
