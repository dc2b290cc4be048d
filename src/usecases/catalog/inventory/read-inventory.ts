import { ConnectorError } from '#connectors/connector-error.ts';
import type { InventorySku, InventorySource, PassedOver } from '#connectors/inventory-source.ts';

/** The most SKUs that one sync keeps in memory: 20 MB. */
const MAX_SKUS = 50_000;

/** The SKUs of a provider, each code once. */
export interface Inventory {
  readonly skus: readonly InventorySku[];
  readonly passedOver: readonly { readonly what: string; readonly why: PassedOver['why'] | 'repeated' }[];
}

/**
 * Reads all SKUs before anything is written: a sync that fails halfway changes nothing.
 * @throws ConnectorError when the provider fails, and when it holds more than {@link MAX_SKUS}
 */
export async function readInventory(
  source: InventorySource,
  apiKey: string,
  signal: AbortSignal,
  most = MAX_SKUS,
): Promise<Inventory> {
  const skus = new Map<string, InventorySku>();
  const passedOver: Inventory['passedOver'][number][] = [];
  for await (const page of source.readSkus(apiKey, signal)) {
    for (const item of page) {
      if (item.kind === 'passed_over') passedOver.push({ what: item.what, why: item.why });
      else if (!skus.has(item.sku)) skus.set(item.sku, item);
      // The same item again is no duplicate: it moved between pages.
      else if (skus.get(item.sku)?.id !== item.id) passedOver.push({ what: item.sku, why: 'repeated' });
    }
    if (skus.size + passedOver.length > most) {
      throw new ConnectorError(
        'too_large',
        `Veeqo holds more than ${most.toLocaleString('en-US')} SKUs. Export them there as CSV and import the file under Imports.`,
      );
    }
  }
  return { skus: [...skus.values()], passedOver };
}
