import { exchangeChecker } from './check-exchange.ts';
import type { Deviation, Exchange, Service } from './exchange.ts';
import { explanationOf } from './explained.ts';
import type { Session } from './session.ts';

/** What came of checking the session of one service. */
export interface Verdict {
  readonly service: Service;
  /** Calls with their answers. */
  readonly checked: number;
  /** Different operations among them. */
  readonly operations: number;
  readonly unexplained: readonly Deviation[];
  readonly explained: number;
}

/** @param folder of the official documents @returns checks a session against them */
export function sessionChecker(folder: string): (session: Session) => Verdict {
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

/** Numbers and codes in a path name things, not operations. */
function operationOf({ method, path }: Exchange): string {
  return `${method} ${path.replace(/\/[^/]*\d[^/]*/g, (part) => (/^\/(v\d|\d{4}-\d\d)/.test(part) ? part : '/*'))}`;
}
