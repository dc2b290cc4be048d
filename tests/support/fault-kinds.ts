import { ConnectorError } from '#connectors/connector-error.ts';
import { type FaultKind, FaultPlan } from '#sandbox/faults/fault.ts';

/** Every fault that the sandbox knows, but the one whose meaning depends on its status. */
export const KINDS: readonly FaultKind[] = FaultPlan.shape.kind.options.filter((kind) => kind !== 'refused');
/** Those that may be answered although the call was carried out. */
export const ACTED: readonly FaultKind[] = ['too_busy', 'server_error', 'bad_gateway', 'redirect'];
/** Responses that never end on their own: the timeout is shorter here than in production. */
export const HANGING: ReadonlySet<FaultKind> = new Set([
  ...(['timeout', 'late_answer', 'half_open', 'one_byte_a_second'] as const),
]);
/** The call was carried out, but its response cannot be read. */
export const LOST: ReadonlySet<FaultKind> = new Set([
  ...(['answer_lost', 'late_answer', 'half_open', 'truncated', 'one_byte_a_second'] as const),
  ...(['garbage', 'empty', 'huge_body'] as const),
]);
/** Not carried out, and over in a moment: a read tries again. After a 429 only if it is not asked to wait for long. */
export const PASSING: ReadonlySet<FaultKind> = new Set(['server_error', 'bad_gateway', 'reset']);
/** More often than any retry. */
export const NEVER_OVER = 1_000;
/** Tries for one answer, one more after a token that ended, and the token itself. */
export const TRIES = 6;

export const never = new AbortController().signal;

export interface Ended<T> {
  readonly kind: 'whole' | 'failed';
  readonly pages: readonly T[];
}

/** Reads to the end. Whatever is thrown besides ConnectorError is a mistake of ours. */
export async function gather<T>(
  read: () => AsyncIterable<readonly T[]> | readonly (readonly T[])[],
): Promise<Ended<T>> {
  const pages: T[] = [];
  try {
    for await (const page of read()) pages.push(...page);
    return { kind: 'whole', pages };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return { kind: 'failed', pages };
  }
}
