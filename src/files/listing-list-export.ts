import {
  LISTING_CHANNEL_HEADING,
  LISTING_CHANNEL_LABELS,
  type ListingChannel,
} from '#domain/connections/listing-channel.ts';
import { type FulfillmentType, MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { ListingListColumn } from '#domain/written/listing-column-ids.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

/** A listing as the list shows it. Amounts and the margin are decimal strings such as "19.99"; null is not known. */
export interface ListedListing {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: string;
  readonly amazonWalmartPrice: string | null;
  readonly thirdPartyFbaWfsPrice: string | null;
  readonly thirdPartyFbmPrice: string | null;
  readonly totalCost: string | null;
  readonly margin: string | null;
  readonly marginFloor: string | null;
  /** Of one unit at the current price. */
  readonly profit: string | null;
  /** Percent of the revenue. */
  readonly feeRate: string | null;
  /** In the last 30 days. */
  readonly soldUnits: number;
  readonly soldProfit: string | null;
  readonly fulfillmentType: FulfillmentType;
  /** Null where its marketplace has only one. */
  readonly channel: ListingChannel | null;
  readonly autoRepricingEnabled: boolean;
  /** Name of the rule that applies; null without one. */
  readonly rule: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly tags: readonly string[];
}

interface Column {
  /** As the screen calls it. */
  readonly heading: string;
  readonly cell: (row: ListedListing) => string;
}

const COLUMNS: Readonly<Record<ListingListColumn, Column>> = {
  marketplace: { heading: 'Marketplace', cell: (row) => plainCell(MARKETPLACE_NAMES[row.marketplace]) },
  sku: { heading: 'SKU', cell: (row) => textCell(row.sku) },
  product: { heading: 'Product', cell: (row) => textCell(row.title) },
  price: { heading: 'Your Price', cell: (row) => plainCell(row.currentPrice) },
  amazonWalmart: { heading: 'AMZ/WMT', cell: (row) => plainCell(row.amazonWalmartPrice) },
  thirdPartyFbaWfs: { heading: '3PL FBA/WFS', cell: (row) => plainCell(row.thirdPartyFbaWfsPrice) },
  thirdPartyFbm: { heading: '3PL FBM', cell: (row) => plainCell(row.thirdPartyFbmPrice) },
  totalCost: { heading: 'Total Cost', cell: (row) => plainCell(row.totalCost) },
  margin: { heading: 'Margin %', cell: (row) => plainCell(row.margin) },
  marginFloor: { heading: 'Margin floor', cell: (row) => plainCell(row.marginFloor) },
  profit: { heading: 'Profit', cell: (row) => plainCell(row.profit) },
  fee: { heading: 'Fee %', cell: (row) => plainCell(row.feeRate) },
  units30: { heading: 'Units 30 d', cell: (row) => plainCell(row.soldUnits) },
  profit30: { heading: 'Profit 30 d', cell: (row) => plainCell(row.soldProfit) },
  fulfillment: { heading: 'Fulfillment', cell: (row) => plainCell(row.fulfillmentType) },
  channel: {
    heading: LISTING_CHANNEL_HEADING,
    cell: ({ channel }) => plainCell(channel === null ? null : LISTING_CHANNEL_LABELS[channel]),
  },
  autoReprice: { heading: 'Auto-Reprice', cell: (row) => (row.autoRepricingEnabled ? 'on' : 'off') },
  rule: { heading: 'Rule', cell: (row) => textCell(row.rule) },
  brand: { heading: 'Brand', cell: (row) => textCell(row.brand) },
  supplier: { heading: 'Supplier', cell: (row) => textCell(row.supplier) },
  tags: { heading: 'Tags', cell: (row) => textCell(row.tags.join(', ') || null) },
};

/** The start of a file with these columns of the list. It does not import again: some of it is calculated. */
export function listingListHeader(columns: readonly ListingListColumn[]): string {
  return EXPORT_START + exportLine(columns.map((column) => textCell(COLUMNS[column].heading)));
}

/** One listing of it. */
export function listingListLine(row: ListedListing, columns: readonly ListingListColumn[]): string {
  return exportLine(columns.map((column) => COLUMNS[column].cell(row)));
}
