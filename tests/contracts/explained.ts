import type { Deviation } from './exchange.ts';

/** A deviation that is meant: the document is behind the service, and where that is said. */
export interface Explained extends Pick<Deviation, 'service' | 'call' | 'side'> {
  readonly problem: RegExp;
  readonly why: string;
}

/** Empty is best. */
const EXPLAINED: readonly Explained[] = [];

export function explanationOf(deviation: Deviation): Explained | null {
  const isSame = (each: Explained): boolean =>
    each.service === deviation.service &&
    each.call === deviation.call &&
    each.side === deviation.side &&
    each.problem.test(`${deviation.where} ${deviation.problem}`);
  return EXPLAINED.find(isSame) ?? null;
}
