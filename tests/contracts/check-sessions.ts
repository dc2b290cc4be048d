import { exchangeChecker } from './check-exchange.ts';
import type { Deviation, Exchange, Service } from './exchange.ts';
import { explanationOf } from './explained.ts';
import type { Session } from './session.ts';

/** The result of checking the session of one service. */
export interface SessionCheck {
  readonly service: Service;
  /** The number of calls. */
  readonly checked: number;
  /** The number of different operations. */
  readonly operations: number;
  readonly unexplained: readonly Deviation[];
  readonly explained: number;
}

/** @param folder of the official documents @returns checks a session against them */
export function sessionChecker(folder: string): (session: Session) => SessionCheck {
  const check = exchangeChecker(folder);
  return ({ service, exchanges }) => {
    const deviations = exchanges.flatMap(check);
    const unexplained = deviations.filter((each) => explanationOf(each) === null);
    return {
      service,
      checked: exchanges.length,
      unexplained,
      explained: deviations.length - unexplained.length,
      operations: new Set(exchanges.map(operationOf)).size,
    };
  };
}

/** Replaces IDs in a path, which do not distinguish operations. */
function operationOf({ method, path }: Exchange): string {
  return `${method} ${path.replace(/\/[^/]*\d[^/]*/g, (part) => (/^\/(v\d|\d{4}-\d\d)/.test(part) ? part : '/*'))}`;
}
