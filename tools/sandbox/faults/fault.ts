import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** The simulated services: the six marketplaces and the inventory program. */
export const SERVICE_NAMES = [...MARKETPLACES, 'veeqo'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

const FAULT_KINDS = [
  // The response is replaced; the call is not carried out, unless the fault has `acts`.
  ...(['too_busy', 'server_error', 'bad_gateway', 'redirect', 'errors_in_200', 'refused'] as const),
  // No response, and the call is not carried out; after a release "timeout" continues normally.
  ...(['timeout', 'reset'] as const),
  // The call is carried out, and the response is lost, late, incomplete or very slow.
  ...(['answer_lost', 'late_answer', 'half_open', 'truncated', 'one_byte_a_second'] as const),
  // The call is carried out, and the response is wrong.
  ...(['garbage', 'empty', 'duplicates', 'contradictions', 'huge_body', 'skewed_clock'] as const),
  ...(['negative_price', 'na_price', 'nan_price', 'other_currency'] as const),
  // The price is accepted and never becomes live.
  'never_applied',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The request for a fault. */
export const FaultPlan = z.strictObject({
  service: z.enum(SERVICE_NAMES),
  kind: z.enum(FAULT_KINDS),
  /** The official name of the call, such as "patchListingsItem"; the next call of any kind by default. */
  operation: z.string().min(1).max(100).optional(),
  /** Only calls that name this SKU, in their address or body. */
  sku: z.string().min(1).max(200).optional(),
  /** The number of calls that fail; 1 by default, or all of them within `seconds`. */
  count: z.int().min(1).max(1_000_000).optional(),
  /** Seconds of the world's clock after which the fault is over. */
  seconds: z.number().min(1).max(31_536_000).optional(),
  /** The status of "refused"; 503 by default. */
  status: z.int().min(400).max(599).optional(),
  /** The literal JSON body of "refused"; the marketplace's usual one for its status by default. */
  body: z.unknown().optional(),
  /** Further headers of "refused". */
  headers: z.record(z.string(), z.string()).optional(),
  /** The literal Retry-After header of "too_busy"; none by default. */
  retryAfter: z.string().max(200).optional(),
  /** Whether the call is carried out before "too_busy", "server_error", "bad_gateway", "redirect" or "refused" is returned. */
  acts: z.boolean().default(false),
});
export type FaultPlan = z.input<typeof FaultPlan>;

export interface Fault extends z.output<typeof FaultPlan> {
  readonly id: number;
}

/** Planned faults, and the calls that faults hold until a release. */
export class FaultRegistry {
  readonly #now: () => Instant;
  #made = 0;
  #planned: (Fault & { left: number; readonly until: number })[] = [];
  #held: (() => void)[] = [];

  /** @param now the world's clock */
  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** @throws ZodError for an invalid plan */
  add(plan: FaultPlan): Fault {
    const read = FaultPlan.parse(plan);
    const left = read.count ?? (read.seconds === undefined ? 1 : Number.POSITIVE_INFINITY);
    const until = this.#now() + (read.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
    const fault = { ...read, id: ++this.#made, left, until };
    this.#planned.push(fault);
    return fault;
  }

  /** Planned faults, oldest first. */
  list(): readonly (Fault & { readonly left: number })[] {
    return this.#planned;
  }

  clear(): void {
    this.#planned = [];
  }

  /**
   * Uses up the oldest fault that applies to the call; null if there is none.
   * @param names whether the call names a SKU
   */
  consume(service: ServiceName, operation: string | null, names: (sku: string) => boolean): Fault | null {
    if (this.#planned.length === 0) return null;
    this.#planned = this.#planned.filter(({ until }) => until > this.#now());
    const fault = this.#planned.find(
      (one) =>
        one.service === service &&
        (one.operation === undefined || one.operation === operation) &&
        (one.sku === undefined || names(one.sku)),
    );
    if (fault === undefined) return null;
    fault.left--;
    if (fault.left === 0) this.#planned = this.#planned.filter((one) => one !== fault);
    return fault;
  }

  /** Waits for the next release. */
  hold(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }

  get held(): number {
    return this.#held.length;
  }

  /** Releases all held calls. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }
}
