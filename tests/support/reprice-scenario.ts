import { parse } from 'csv-parse/sync';
import { type CommandResult, NOON, runCommand } from './memory-io.ts';

export const SKU_HEADER = 'sku,name,productCost,weight,packagingCost,miscCost,veeqoId';
const LISTING_HEADER = 'sku,title,currentPrice,fulfillmentType,walmartItemId';
const RULE_HEADER = 'name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive';
const OFFER_HEADER = 'marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt';
export const FEE_HEADER = 'marketplace,category,percent,fixed,minimum,bandUpTo,bandKind,effectiveFrom';
export const TIER_HEADER = 'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost';

export type Files = Readonly<Record<string, string>>;

/** One Walmart listing at 14.50 whose parcel costs nothing, one SKU of 10.00, one rule: Fixed Margin at 15%. */
export const STORY: Files = {
  listings: `${LISTING_HEADER},shippingCost\nA-1,Mug,14.50,FBM,,0.00\n`,
  skus: `${SKU_HEADER}\nA-1,Mug,10.00,8,0.00,0.00,\n`,
  rules: `${RULE_HEADER}\nFixed,,All,Fixed Margin,15,,true\n`,
};

/** Runs `reprice` with each of the story's files under a flag of its name. */
export function reprice(changed: Files = {}, ...more: string[]): Promise<CommandResult> {
  const contents = { ...STORY, ...changed };
  const flags = Object.keys(contents).flatMap((name) => [`--${name}`, `${name}.csv`]);
  const files = Object.fromEntries(Object.entries(contents).map(([name, text]) => [`${name}.csv`, text]));
  return runCommand(['reprice', ...flags, '--now', NOON, ...more], { files });
}

/** The rows of the output by column. */
export function rowsOf({ out }: CommandResult): Record<string, string>[] {
  return parse(out, { columns: true });
}

/** Runs `reprice` and returns the only row of its output. */
export async function onlyRow(changed: Files, ...more: string[]): Promise<Record<string, string>> {
  const rows = rowsOf(await reprice(changed, ...more));
  if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one`);
  return rows[0] ?? {};
}

/** A listings file of these rows; more columns go behind `shippingCost`. */
export function listings(rows: string, columns = ''): Files {
  return { listings: `${LISTING_HEADER},shippingCost${columns}\n${rows}\n` };
}

/** A rules file of these rows. */
export function rules(rows: string, columns = ''): Files {
  return { rules: `${RULE_HEADER}${columns}\n${rows}\n` };
}

/** An offers file of these rows. */
export function offers(...rows: string[]): Files {
  return { offers: `${OFFER_HEADER}\n${rows.join('\n')}\n` };
}
