import type { SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { errorOutcome } from '#connectors/send-error.ts';

/**
 * Sends one after the other. Trouble with the key, or a service that is asked too much, ends it: what is left is not
 * sent, and nobody is asked in vain ten thousand times.
 * @param idsOf our listings that one item is about: all of them share what becomes of it
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
