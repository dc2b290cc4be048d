import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant, Millis } from '#domain/units.ts';
import type { HeldLease, LeaseDeps } from '#usecases/background/held-lease.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';

/** What sending works with. The clock is handed in, so that tests need not wait. */
export interface SendingDeps extends LeaseDeps {
  readonly connections: Connections;
  /** Version and schema of this program: nothing is sent before the engine of the same program has taken over. */
  readonly release: string;
  /** Hears of what should not happen: it goes on by itself. */
  readonly onFault: (error: unknown) => void;
  /** Between two looks at whether a call under way may go on. A second where it is not said. */
  readonly watchEvery?: Millis;
}

/** One marketplace, as one process sends to it. */
export interface MarketplaceSender {
  readonly deps: SendingDeps;
  readonly marketplace: Marketplace;
  readonly duty: HeldLease;
  /** A marketplace that took nothing is left alone from then on, for so many milliseconds. */
  rest: { readonly since: Instant; readonly lasts: number } | null;
  /** The lease under which it was looked at what the holder before left behind, and when. Null before the first. */
  tookOver: { readonly fence: number; readonly at: Instant } | null;
}
