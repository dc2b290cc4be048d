import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** Everybody with a face here: the six marketplaces and the inventory program. */
export const FACE_NAMES = [...MARKETPLACES, 'veeqo'] as const;
export type FaceName = (typeof FACE_NAMES)[number];

/** What can go wrong on demand. */
const FAULT_KINDS = [
  // Another answer instead; nothing is done, unless the fault says that it acts.
  ...(['too_busy', 'server_error', 'bad_gateway', 'redirect', 'errors_in_200'] as const),
  // No answer and nothing done; after a release the first goes on as if nothing had been.
  ...(['timeout', 'reset'] as const),
  // Done, and the answer does not arrive: not at all, after a release, not whole, or very slowly.
  ...(['answer_lost', 'late_answer', 'half_open', 'truncated', 'one_byte_a_second'] as const),
  // Done, and the answer is not what it should be.
  ...(['garbage', 'empty', 'duplicates', 'contradictions', 'huge_body', 'skewed_clock'] as const),
  ...(['negative_price', 'na_price', 'nan_price', 'other_currency'] as const),
  // A price is accepted and never becomes live.
  'never_applied',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault as it is asked for. */
export const FaultPlan = z.strictObject({
  face: z.enum(FACE_NAMES),
  kind: z.enum(FAULT_KINDS),
  /** By the official name of the call, such as "patchListingsItem"; left out: whichever comes next. */
  operation: z.string().min(1).max(100).optional(),
  /** How many calls it meets before it is over. */
  count: z.int().min(1).max(1_000_000).default(1),
  /** What "too_busy" says in Retry-After, as it stands; left out: nothing. */
  retryAfter: z.string().max(200).optional(),
  /** The call is carried out before "too_busy", "server_error", "bad_gateway" or "redirect" is answered. */
  acts: z.boolean().default(false),
});
export type FaultPlan = z.input<typeof FaultPlan>;

export interface Fault extends z.output<typeof FaultPlan> {
  readonly id: number;
}

/** The faults that wait for their calls, and the calls that wait for their release. */
export class FaultRegistry {
  #made = 0;
  #planned: (Fault & { left: number })[] = [];
  #held: (() => void)[] = [];

  /** @throws ZodError for a plan that is none */
  add(plan: FaultPlan): Fault {
    const read = FaultPlan.parse(plan);
    const fault = { ...read, id: ++this.#made, left: read.count };
    this.#planned.push(fault);
    return fault;
  }

  /** What still waits, the oldest first. */
  list(): readonly (Fault & { readonly left: number })[] {
    return this.#planned;
  }

  clear(): void {
    this.#planned = [];
  }

  /** The oldest fault that meets that call, which is one nearer to its end; null when there is none. */
  take(face: FaceName, operation: string | null): Fault | null {
    const fault = this.#planned.find(
      (one) => one.face === face && (one.operation === undefined || one.operation === operation),
    );
    if (fault === undefined) return null;
    fault.left--;
    if (fault.left === 0) this.#planned = this.#planned.filter((one) => one !== fault);
    return fault;
  }

  /** Waits until somebody releases what is held. */
  hold(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }

  get held(): number {
    return this.#held.length;
  }

  /** Lets everything go on that is held. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }
}
