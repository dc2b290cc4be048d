import { ConnectorError } from '#connectors/connector-error.ts';
import { FormatAlarm } from '#connectors/format-alarm.ts';
import type { InventorySku, InventorySource, PassedOver } from '#connectors/inventory-source.ts';

/** The most SKUs that one sync keeps in memory: 20 MB. */
const MAX_SKUS = 50_000;
const NAME = 'Veeqo';

/** The SKUs of a provider, each code once. */
export interface Inventory {
  readonly skus: readonly InventorySku[];
  readonly passedOver: readonly PassedOverProduct[];
}

/** A product that was not taken. */
export interface PassedOverProduct {
  readonly what: string;
  readonly why: PassedOver['why'] | 'repeated';
  /** The member that cannot be read, and what the provider sent there; null where no single one is the cause. */
  readonly member: string | null;
  readonly value: string | null;
}

/**
 * Reads all SKUs before anything is written: a sync that fails halfway changes nothing.
 * @throws ConnectorError when the provider fails or writes its rows in another format, and when it holds more than {@link MAX_SKUS}
 */
export async function readInventory(
  source: InventorySource,
  apiKey: string,
  signal: AbortSignal,
  most = MAX_SKUS,
): Promise<Inventory> {
  const skus = new Map<string, InventorySku>();
  const passedOver: PassedOverProduct[] = [];
  const alarm = new FormatAlarm(NAME);
  for await (const page of source.readSkus(apiKey, signal)) {
    alarm.takes(page);
    for (const item of page) {
      if (item.kind === 'passed_over') passedOver.push(productOf(item));
      else if (!skus.has(item.sku)) skus.set(item.sku, item);
      // The same item again is no duplicate: it moved between pages.
      else if (skus.get(item.sku)?.id !== item.id) {
        passedOver.push({ what: item.sku, why: 'repeated', member: null, value: null });
      }
    }
    if (skus.size + passedOver.length > most) {
      throw new ConnectorError(
        'too_large',
        `${NAME} holds more than ${most.toLocaleString('en-US')} SKUs. Export them there as CSV and import the file under Imports.`,
      );
    }
  }
  alarm.check();
  return { skus: [...skus.values()], passedOver };
}

function productOf(row: PassedOver): PassedOverProduct {
  const { what, why } = row;
  return row.why === 'unreadable'
    ? { what, why, member: row.member, value: row.value }
    : { what, why, member: null, value: null };
}
