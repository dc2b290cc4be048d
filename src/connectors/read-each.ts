import type { PriceReading, SentPrice } from './connector.ts';
import { ConnectorError, type ConnectorFault, concernsAll } from './connector-error.ts';
import { mapLimited } from './map-limited.ts';

/** What a service says of one listing; any other failure may be one of the service. */
const OF_ONE: ReadonlySet<ConnectorFault> = new Set(['refused', 'unreadable']);

/**
 * Reads prices back by a call for each, a few at once. What was read counts, whatever fails after it: a slow or busy
 * marketplace would else never confirm any of many prices. The prices that were not read are unreadable because of it.
 * @returns one reading for each, in their order
 * @throws ConnectorError a failure of the service or the account, if nothing was read
 */
export async function readEach(
  sent: readonly SentPrice[],
  atOnce: number,
  read: (one: SentPrice) => Promise<PriceReading>,
): Promise<PriceReading[]> {
  let end: ConnectorError | null = null;
  let failure: ConnectorError | null = null;
  let isAnyRead = false;
  const readings = await mapLimited(sent, atOnce, async (one): Promise<PriceReading> => {
    const { listingId } = one.ref;
    if (end !== null) return unreadable(listingId, end);
    try {
      const reading = await read(one);
      isAnyRead ||= reading.kind !== 'unreadable';
      return reading;
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (concernsAll(error)) end = error;
      if (!OF_ONE.has(error.fault)) failure = error;
      return unreadable(listingId, error);
    }
  });
  if (failure !== null && !isAnyRead) throw failure;
  return readings;
}

function unreadable(listingId: number, { message }: ConnectorError): PriceReading {
  return { listingId, kind: 'unreadable', message };
}

/** Answers of one call for several prices, such as the variations of a listing: requested once, also while it is under way. */
export class Shared<Key, Answer> {
  readonly #answers = new Map<Key, Promise<Answer>>();

  of(key: Key, request: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = request();
    this.#answers.set(key, answer);
    return answer;
  }
}
