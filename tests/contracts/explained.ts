import type { Deviation } from './exchange.ts';

/** An expected deviation: the document lags behind the service, with the source of that. */
export interface Explained extends Pick<Deviation, 'service' | 'call' | 'side'> {
  readonly problem: RegExp;
  readonly why: string;
}

const EXPLAINED: readonly Explained[] = [
  {
    service: 'walmart',
    call: 'GET /v3/report/reconreport/reconFileJson',
    side: 'answer',
    problem: /^\/reportData\/\d+\/[^/]+ must be object$/,
    why: "The schema calls the cells of a row objects; in the document's own example they are texts.",
  },
  {
    service: 'walmart',
    call: 'GET /v3/orders',
    side: 'answer',
    problem: /^status 404 is not in the document$/,
    why: 'The documents describe no errors; sellers report a 404 where no order fits.',
  },
  {
    service: 'walmart',
    call: 'GET /v3/promo/sku/{sku}',
    side: 'answer',
    problem: /^status 404 is not in the document$/,
    why: 'The document does not say what a SKU without promotions answers; the simulation has the harder of the two, a 404.',
  },
  {
    service: 'ebay',
    call: 'POST /ws/api.dll',
    side: 'request',
    problem: /^path is no call of it$/,
    why: 'The Trading API is described by an XML schema, not by the OpenAPI documents of the others.',
  },
];

export function explanationOf(deviation: Deviation): Explained | null {
  const isSame = (each: Explained): boolean =>
    each.service === deviation.service &&
    each.call === deviation.call &&
    each.side === deviation.side &&
    each.problem.test(`${deviation.where} ${deviation.problem}`);
  return EXPLAINED.find(isSame) ?? null;
}
