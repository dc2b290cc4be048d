import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { networkOf } from '#usecases/identity/accounts/attempt-limits.ts';

const MINUTE = 60_000;
/** Per network. A store sends several a second on a busy day; the marketplace repeats what is rejected here. */
const MAX_EVENTS_PER_MINUTE = 600;
/** Networks counted separately; all others share one count. */
const MAX_NETWORKS = 10_000;

/** Limits the events accepted from one network within a minute. In memory, for one process. */
export class EventLimit {
  #minute = Number.NaN;
  readonly #counts = new Map<string, number>();

  /** @throws AppError too_many_requests */
  count(address: string, now: Instant): void {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const network = networkOf(address);
    const who = this.#counts.has(network) || this.#counts.size < MAX_NETWORKS ? network : 'others';
    const count = (this.#counts.get(who) ?? 0) + 1;
    this.#counts.set(who, count);
    if (count <= MAX_EVENTS_PER_MINUTE) return;
    const retryAfterSeconds = Math.ceil(((minute + 1) * MINUTE - now) / 1_000);
    throw new AppError('too_many_requests', 'Too many events. Send them again in a minute.', {
      retryAfterSeconds,
    });
  }
}
