import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { networkOf } from '#usecases/identity/accounts/attempt-limits.ts';

const MINUTE = 60_000;
/** A shop on a busy day sends several a second; what is refused here is sent again. */
const MOST_A_MINUTE = 600;
/** Addresses that are told apart; beyond that they share what is left. */
const MOST_ADDRESSES = 10_000;

/** Keeps senders of events from keeping us busy: so many from one network within a minute. In memory, for one process. */
export class IncomingLimit {
  #minute = Number.NaN;
  readonly #counts = new Map<string, number>();

  /** @throws AppError too_many_requests */
  count(address: string, now: Instant): void {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const network = networkOf(address);
    const who = this.#counts.has(network) || this.#counts.size < MOST_ADDRESSES ? network : 'others';
    const count = (this.#counts.get(who) ?? 0) + 1;
    this.#counts.set(who, count);
    if (count <= MOST_A_MINUTE) return;
    const retryAfterSeconds = Math.ceil(((minute + 1) * MINUTE - now) / 1_000);
    throw new AppError('too_many_requests', 'Too many events. Send them again in a minute.', {
      retryAfterSeconds,
    });
  }
}
