import type { SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { mapLimited } from '#connectors/map-limited.ts';
import { errorOutcome } from '#connectors/send-error.ts';

/**
 * Sends orders one after the other, or a few at once. After a credential error or a rate limit no further one is started:
 * the remaining orders are not sent, instead of failing ten thousand times.
 * @param idsOf our listings that share the outcome of one item
 * @returns the outcomes in the order of the items
 */
export async function sendEach<Item>(
  items: readonly Item[],
  idsOf: (item: Item) => readonly number[],
  send: (item: Item) => Promise<readonly SendOutcome[]>,
  atOnce = 1,
): Promise<SendOutcome[]> {
  let ended: ConnectorError | null = null;
  const outcomes = await mapLimited(items, atOnce, async (item): Promise<readonly SendOutcome[]> => {
    const failed = (error: ConnectorError) => idsOf(item).map((id) => errorOutcome(id, error));
    if (ended !== null) return failed(ended);
    try {
      return await send(item);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (error.fault === 'key' || error.fault === 'busy') ended ??= error;
      return failed(error);
    }
  });
  return outcomes.flat();
}
