import type { Deviation } from './exchange.ts';

/** An expected deviation: the document lags behind the service, with the source of that. */
export interface Explained extends Pick<Deviation, 'service' | 'call' | 'side'> {
  readonly problem: RegExp;
  readonly why: string;
}

const EXPLAINED: readonly Explained[] = [];

export function explanationOf(deviation: Deviation): Explained | null {
  const isSame = (each: Explained): boolean =>
    each.service === deviation.service &&
    each.call === deviation.call &&
    each.side === deviation.side &&
    each.problem.test(`${deviation.where} ${deviation.problem}`);
  return EXPLAINED.find(isSame) ?? null;
}
