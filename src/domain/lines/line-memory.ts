import type { DecidingLine } from '#domain/decision/decision.ts';
import type { ListingSignals } from '#domain/decision/facts.ts';
import type { Instant } from '#domain/units.ts';

/** What the lines of a rule remember of one listing from decision to decision. */
export type LineMemory = Pick<ListingSignals, 'situation' | 'turns'>;

/** Of a rule that has not decided yet, or whose lines were changed since. */
export const NOTHING_REMEMBERED: LineMemory = { situation: null, turns: {} };

/**
 * What is remembered after a decision: since when the situation lasts, which moves only when it changes, and when the last
 * turn of each line began. The same object where nothing changes.
 * @param line the line that decided; null where no line was asked, such as for a listing without costs
 */
export function rememberDecision(known: LineMemory, line: DecidingLine | null, now: Instant): LineMemory {
  if (line === null) return known;
  const { number, situation: kind, startsTurn } = line;
  const isSame = kind === (known.situation?.kind ?? null);
  if (isSame && !startsTurn) return known;
  const situation = isSame ? known.situation : kind === null ? null : { kind, since: now };
  return { situation, turns: startsTurn ? { ...known.turns, [number]: now } : known.turns };
}
