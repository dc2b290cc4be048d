import type { SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { errorOutcome } from '#connectors/send-error.ts';

/**
 * Sends orders one after the other. A credential error or a rate limit ends the loop: the remaining orders are not
 * sent, instead of failing ten thousand times.
 * @param idsOf our listings that share the outcome of one item
 */
export async function sendEach<Item>(
  items: readonly Item[],
  idsOf: (item: Item) => readonly number[],
  send: (item: Item) => Promise<readonly SendOutcome[]>,
): Promise<SendOutcome[]> {
  const outcomes: SendOutcome[] = [];
  let ended: ConnectorError | null = null;
  for (const item of items) {
    const failed = (error: ConnectorError) => idsOf(item).map((id) => errorOutcome(id, error));
    if (ended !== null) {
      outcomes.push(...failed(ended));
      continue;
    }
    try {
      outcomes.push(...(await send(item)));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      outcomes.push(...failed(error));
      if (error.fault === 'key' || error.fault === 'busy') ended = error;
    }
  }
  return outcomes;
}
