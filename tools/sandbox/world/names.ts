import type { Marketplace } from '#domain/marketplaces.ts';
import type { Chance } from './chance.ts';

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The marketplace's ID of an item, and the further identifiers that calls need. */
export interface ItemNames {
  readonly itemId: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** A number without a leading zero. */
function number(chance: Chance, digits: number): string {
  return chance.text(1, DIGITS.slice(1)) + chance.text(digits - 1, DIGITS);
}

/** A GTIN-12 with its check digit. */
function upc(chance: Chance): string {
  const digits = number(chance, 11);
  let sum = 0;
  for (let at = 0; at < 11; at++) sum += Number(digits[at]) * (at % 2 === 0 ? 3 : 1);
  return digits + String((10 - (sum % 10)) % 10);
}

const MAKERS: Readonly<Record<Marketplace, (chance: Chance) => ItemNames>> = {
  amazon: (chance) => ({
    itemId: `B0${chance.text(8, DIGITS + LETTERS)}`,
    keys: { upc: upc(chance) },
  }),
  walmart: (chance) => {
    const code = upc(chance);
    return {
      itemId: number(chance, 9),
      keys: { wpid: chance.text(12, DIGITS + LETTERS), upc: code, gtin: `00${code}` },
    };
  },
  ebay: (chance) => ({
    itemId: number(chance, 12),
    keys: { offerId: number(chance, 10), gtin: upc(chance), epid: number(chance, 10) },
  }),
  etsy: (chance) => ({
    itemId: number(chance, 10),
    keys: { productId: number(chance, 11), offeringId: number(chance, 11) },
  }),
  shopify: (chance) => ({
    itemId: number(chance, 14),
    keys: { productId: number(chance, 13), inventoryItemId: number(chance, 14) },
  }),
  michaels: (chance) => {
    const primary = number(chance, 8);
    return { itemId: `${primary}${chance.text(3, DIGITS)}`, keys: { primarySkuNumber: primary } };
  },
};

/** Generated identifiers of an item: the same for the same stream. */
export function namesFor(marketplace: Marketplace, chance: Chance): ItemNames {
  return MAKERS[marketplace](chance);
}

const SHOPS = ['Harbor', 'Maple', 'Prairie', 'Granite', 'Bluebird', 'Lantern', 'Copper', 'Willow'] as const;
const ENDS = ['Goods', 'Supply', 'Trading', 'Outlet', 'Direct', 'Market'] as const;

export function shopName(chance: Chance): string {
  return `${chance.pick(SHOPS)} ${chance.pick(ENDS)}`;
}

/** In Amazon's format: "A" and 13 capitals or digits. */
export function sellerIdFor(chance: Chance): string {
  return `A${chance.text(13, DIGITS + LETTERS)}`;
}
