import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** The simulated services: the six marketplaces and the inventory program. */
export const SERVICE_NAMES = [...MARKETPLACES, 'veeqo'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

const FAULT_KINDS = [
  // The response is replaced; the call is not carried out, unless the fault has `acts`.
  ...(['too_busy', 'server_error', 'bad_gateway', 'redirect', 'errors_in_200'] as const),
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
  /** The number of calls that fail. */
  count: z.int().min(1).max(1_000_000).default(1),
  /** The literal Retry-After header of "too_busy"; none by default. */
  retryAfter: z.string().max(200).optional(),
  /** Whether the call is carried out before "too_busy", "server_error", "bad_gateway" or "redirect" is returned. */
  acts: z.boolean().default(false),
});
export type FaultPlan = z.input<typeof FaultPlan>;

export interface Fault extends z.output<typeof FaultPlan> {
  readonly id: number;
}

/** Planned faults, and the calls that faults hold until a release. */
export class FaultRegistry {
  #made = 0;
  #planned: (Fault & { left: number })[] = [];
  #held: (() => void)[] = [];

  /** @throws ZodError for an invalid plan */
  add(plan: FaultPlan): Fault {
    const read = FaultPlan.parse(plan);
    const fault = { ...read, id: ++this.#made, left: read.count };
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

  /** Uses up the oldest fault that applies to the call; null if there is none. */
  consume(service: ServiceName, operation: string | null): Fault | null {
    const fault = this.#planned.find(
      (one) => one.service === service && (one.operation === undefined || one.operation === operation),
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
