import type { Cents, Ounces } from '#domain/units.ts';
import type { UnreadableRow } from './passed-over.ts';

/** A SKU as an inventory provider has it. Unknown values are null, never zero. */
export interface InventorySku {
  readonly kind: 'sku';
  /** The provider's ID of it. */
  readonly id: string;
  /** Trimmed, 1 to 200 characters. */
  readonly sku: string;
  /** Trimmed, 1 to 500 characters. */
  readonly name: string;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
}

/** A product of the provider that cannot be imported as a SKU. */
export type PassedOver = UnfitProduct | UnreadableRow;

interface UnfitProduct {
  readonly kind: 'passed_over';
  /** Its SKU, or its name where it has none. */
  readonly what: string;
  readonly why: 'no_code' | 'kit';
}

/** An inventory management service; a source of SKUs. */
export interface InventorySource {
  /**
   * All of its SKUs, page by page: only one page is in memory.
   * @param signal ends the sync, with a ConnectorError of fault "time"
   * @throws ConnectorError for a refused key, for unreadable responses, and after the last retry
   */
  readSkus(apiKey: string, signal: AbortSignal): AsyncGenerator<readonly (InventorySku | PassedOver)[]>;
  /** A minimal request that checks whether it responds and accepts the key. @throws ConnectorError when it does not */
  check(apiKey: string, signal: AbortSignal): Promise<void>;
}
