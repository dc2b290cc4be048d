import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant, Millis } from '#domain/units.ts';
import type { HeldLease, LeaseDeps } from '#usecases/background/lease.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';
import type { ItemAllowance } from './suspect-read-allowance.ts';

/** Dependencies of sending. The clock is passed in, so that tests need not wait. */
export interface SendingDeps extends LeaseDeps {
  readonly connections: Connections;
  /** Version and schema of this program. Nothing is sent until an engine of the same release runs. */
  readonly release: string;
  /** Receives unexpected errors; sending continues. */
  readonly onUnexpectedError: (error: unknown) => void;
  /** Time between two checks of whether a call in progress may continue; one second by default. */
  readonly watchInterval?: Millis;
}

/** Sends the prices of one marketplace within one process. */
export interface MarketplaceSender {
  readonly deps: SendingDeps;
  readonly marketplace: Marketplace;
  readonly heldLease: HeldLease;
  readonly itemAllowance: ItemAllowance;
  /** A marketplace that accepted nothing is not called for `duration` milliseconds after `since`. */
  pause: { readonly since: Instant; readonly duration: number } | null;
  /** The lease under which the previous holder's sent prices were taken over, and when. Null before the first. */
  tookOver: { readonly fence: number; readonly at: Instant } | null;
  /** When a look found no listing whose Best Offers are accepted too low; null: look again now. */
  raiseCheckedAt: Instant | null;
}
