import type { Cents, Ounces } from '#domain/units.ts';

/** A SKU as an inventory provider knows it. What it does not know is null, and never zero. */
export interface InventorySku {
  readonly kind: 'sku';
  /** The provider's own number of it. */
  readonly id: string;
  /** Trimmed, 1 to 200 characters. */
  readonly sku: string;
  /** Trimmed, 1 to 500 characters. */
  readonly name: string;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
}

/** What a provider lists and we cannot take as a SKU. */
export interface PassedOver {
  readonly kind: 'passed_over';
  /** Its SKU, or its name where it has none. */
  readonly what: string;
  readonly why: 'no_code' | 'kit';
}

/** A program in which a shop keeps its stock; a source of SKUs. */
export interface InventorySource {
  /**
   * Everything it holds, page by page: no more than a page is in memory.
   * @param signal ends the reading, with a ConnectorError of fault "time"
   * @throws ConnectorError for a refused key, for answers that cannot be read, and when it gives up
   */
  readSkus(apiKey: string, signal: AbortSignal): AsyncGenerator<readonly (InventorySku | PassedOver)[]>;
  /** Asks for next to nothing, to see that it answers and takes the key. @throws ConnectorError when it does not */
  check(apiKey: string, signal: AbortSignal): Promise<void>;
}
