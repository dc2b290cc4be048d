import type { Account } from '#connectors/connector.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** The name of the finding, of which an alert is made. */
const SINGLE_PRICES_FINDING = 'walmart_single_prices';
/** Afterwards one price tries it again. */
const REMEMBERED = hours(24);

/**
 * Whether Walmart has ended single prices (PUT /v3/price), whose pages are marked "sunset 2026": for a day no price asks for
 * it again before it goes by feed.
 */
export class SinglePrices {
  /** By this process, where nothing is kept for all. */
  #endedUntil: Instant | null = null;
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  async haveEnded({ findings }: Account): Promise<boolean> {
    if (findings !== undefined) return (await findings.read(SINGLE_PRICES_FINDING)) !== null;
    const left = (this.#endedUntil ?? 0) - this.#now();
    return left > 0 && left <= REMEMBERED;
  }

  async noteEnd({ findings }: Account): Promise<void> {
    const until = instant(this.#now() + REMEMBERED);
    this.#endedUntil = until;
    await findings?.write(SINGLE_PRICES_FINDING, { is: 'ended' }, until);
  }
}
