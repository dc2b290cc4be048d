import { z } from 'zod';
import type { Instant, Millis } from '#domain/units.ts';
import type { Account } from './connector.ts';

const Stored = z.array(z.tuple([z.string(), z.number().nullable()]));

/**
 * What something else set the price of when that was last reported, kept across restarts: a sale, a promotion, another repricer.
 * Only what holds a price is kept. That nothing set it before says nothing after a restart: what lets a price go again has to
 * be read right before it is sent.
 */
export class KeptReasons {
  readonly #finding: string;
  readonly #keptFor: number;
  /** By SKU or item number: when it ends; null where that is not reported. Null before it was read. */
  #kept: Map<string, Instant | null> | null = null;
  #written = '';

  /**
   * @param finding the name it is kept by
   * @param keptFor for so long after its end, too
   */
  constructor(finding: string, keptFor: Millis = 0 as Millis) {
    this.#finding = finding;
    this.#keptFor = keptFor;
  }

  /** Whether something set its price when that was last reported, and has not ended. */
  async has({ findings }: Account, key: string, now: Instant): Promise<boolean> {
    const until = (await this.#read(findings)).get(key);
    return until !== undefined && (until === null || until > now);
  }

  /** When what set its price ends or ended; null where that was not reported, undefined where nothing is kept. */
  async endOf({ findings }: Account, key: string): Promise<Instant | null | undefined> {
    return (await this.#read(findings)).get(key);
  }

  /**
   * Keeps what was reported since, next to what nothing was reported of.
   * @param isReported whether anything was reported about it since
   * @param set what has a price that something sets now, or set lately
   */
  async keep(
    { findings }: Account,
    isReported: (key: string) => boolean,
    set: Iterable<readonly [string, Instant | null]>,
    now: Instant,
  ): Promise<void> {
    if (findings === undefined) return;
    const unreported = [...(await this.#read(findings))].filter(
      ([key, until]) => !isReported(key) && (until === null || now - until < this.#keptFor),
    );
    this.#kept = new Map([...unreported, ...set]);
    const all = [...this.#kept].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const text = JSON.stringify(all);
    if (text === this.#written) return;
    await findings.write(this.#finding, all, null);
    this.#written = text;
  }

  async #read(findings: Account['findings']): Promise<Map<string, Instant | null>> {
    if (this.#kept === null) {
      const stored = Stored.safeParse(await findings?.read(this.#finding)).data ?? [];
      this.#kept = new Map(stored as [string, Instant | null][]);
      this.#written = JSON.stringify(stored);
    }
    return this.#kept;
  }
}
