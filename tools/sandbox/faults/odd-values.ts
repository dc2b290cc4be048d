import { z } from 'zod';
import { Chance } from '#sandbox/world/chance.ts';
import { type Element, parseXml, textOfElement } from '#sandbox/xml.ts';
import { SERVICE_NAMES, type ServiceName } from './fault.ts';

/** The request for an odd value in responses. */
export const OddValuePlan = z.strictObject({
  service: z.enum(SERVICE_NAMES),
  /** The official name of the call; all calls by default. */
  operation: z.string().min(1).max(100).optional(),
  /**
   * The end of the path to the member, from the outside in: "price", "price.amount", "offers.price.amount". An element of
   * XML, a column of a file.
   */
  member: z.string().min(1).max(200),
  /** Only within an object that has this SKU; within all of them by default. */
  sku: z.string().min(1).max(200).optional(),
  /** The share of such objects, drawn by their SKU. */
  share: z.number().min(0).max(1).default(1),
  /** The JSON text instead of the value, literally: 19.990000000000002, 1e2, "15.0", null. Without it the member is missing. */
  becomes: z
    .string()
    .max(10_000)
    .refine((text) => isJson(text), 'must be JSON')
    .optional(),
});
export type OddValuePlan = z.input<typeof OddValuePlan>;
type OddValue = z.output<typeof OddValuePlan>;

/** Names under which services report a SKU. */
const SKU_MEMBERS = new Set([
  'sku',
  'SKU',
  'seller-sku',
  'sellerSkuNumber',
  'sku_code',
  'SellerSKU',
  'sellerSku',
]);

/** Values that services write in odd ways, until they are cleared. */
export class OddValues {
  #planned: OddValue[] = [];

  /** @throws ZodError for an invalid plan */
  add(plan: OddValuePlan): OddValue {
    const read = OddValuePlan.parse(plan);
    this.#planned.push(read);
    return read;
  }

  /** Oldest first. */
  list(): readonly OddValue[] {
    return this.#planned;
  }

  clear(): void {
    this.#planned = [];
  }

  /** Whether any is planned for the call. */
  concern(service: ServiceName, operation: string | null): boolean {
    return this.#of(service, operation).length > 0;
  }

  /** The body with the odd values of a call: JSON, XML, or a table separated by tabs. */
  change(service: ServiceName, operation: string | null, body: string): string {
    return this.#of(service, operation).reduce((text, plan) => changed(plan, text), body);
  }

  #of(service: ServiceName, operation: string | null): OddValue[] {
    return this.#planned.filter(
      (one) => one.service === service && (one.operation === undefined || one.operation === operation),
    );
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Replaced by the literal text after the body is written: JSON of a number would write 1e2 as 100. */
const MARK = '@odd value@';

function changed(plan: OddValue, body: string): string {
  const path = plan.member.split('.');
  if (!isJson(body)) {
    const document = body.startsWith('<') ? parseXml(body) : null;
    if (document !== null) return changedXml(plan, path, document);
    return body.includes('\t') ? changedTable(plan, body) : body;
  }
  const json: unknown = changedJson(plan, path, JSON.parse(body), { at: [], sku: null });
  return JSON.stringify(json).replaceAll(JSON.stringify(MARK), plan.becomes ?? 'null');
}

interface Place {
  readonly at: readonly string[];
  /** Of the innermost object with one. */
  readonly sku: string | null;
}

function changedJson(plan: OddValue, path: readonly string[], value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((one) => changedJson(plan, path, one, place));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const named = entries.find(([name, one]) => SKU_MEMBERS.has(name) && typeof one === 'string');
  const sku = named === undefined ? place.sku : String(named[1]);
  return Object.fromEntries(
    entries.flatMap(([name, one]): [string, unknown][] => {
      const at = [...place.at, name];
      if (!(endsWith(at, path) && concerns(plan, sku)))
        return [[name, changedJson(plan, path, one, { at, sku })]];
      return plan.becomes === undefined ? [] : [[name, MARK]];
    }),
  );
}

function changedXml(plan: OddValue, path: readonly string[], document: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${textOfElement(changedElement(plan, path, document, { at: [], sku: null }))}`;
}

function changedElement(plan: OddValue, path: readonly string[], element: Element, place: Place): Element {
  const sku = element.children.find(({ name }) => SKU_MEMBERS.has(name))?.text ?? place.sku;
  const children = element.children.flatMap((one): Element[] => {
    const at = [...place.at, one.name];
    if (!(endsWith(at, path) && concerns(plan, sku))) return [changedElement(plan, path, one, { at, sku })];
    return plan.becomes === undefined ? [] : [{ ...one, children: [], text: literal(plan.becomes) }];
  });
  return { ...element, children };
}

/** The text of a JSON string; a number keeps its own writing. */
function literal(becomes: string): string {
  const reported: unknown = JSON.parse(becomes);
  return typeof reported === 'string' ? reported : becomes;
}

function endsWith(at: readonly string[], path: readonly string[]): boolean {
  return path.every((part, from) => at.at(from - path.length) === part);
}

function concerns({ service, member, sku: wanted, share }: OddValue, sku: string | null): boolean {
  if (wanted !== undefined && wanted !== sku) return false;
  return share === 1 || new Chance(`${service}/${member}/${sku}`).happens(share);
}

function changedTable(plan: OddValue, text: string): string {
  const [head = '', ...lines] = text.split('\n');
  const names = head.split('\t');
  const column = names.indexOf(plan.member);
  const skuColumn = names.findIndex((name) => SKU_MEMBERS.has(name));
  if (column < 0) return text;
  const changedLines = lines.map((line) => {
    const cells = line.split('\t');
    if (line === '' || !concerns(plan, cells[skuColumn] ?? null)) return line;
    cells[column] = plan.becomes === undefined ? '' : literal(plan.becomes);
    return cells.join('\t');
  });
  return [head, ...changedLines].join('\n');
}
