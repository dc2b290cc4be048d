import { exampleOf } from '#server/api-docs/examples.ts';
import { inlined } from './inlined-schemas.ts';

/** The part of a JSON Schema of the description at /api/docs that is used here. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
/** One value that a request may carry. */
export interface Place {
  /** "PUT /api/rules/{id} body.filter.minRating", a list's items as "0". */
  readonly call: string;
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Everything a request may carry, at every depth, as the description of the API has it. */
export function requestPlaces(description: {
  paths: Record<string, Record<string, { parameters?: unknown[]; requestBody?: object }>>;
}): Place[] {
  return Object.entries(inlined(description).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const call = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const named = (parameters as { name: string; schema: Schema }[]).map(({ name, schema }) =>
        inside({ call, path: [`?${name}`], schema }),
      );
      const content = (requestBody as { content?: Record<string, { schema: Schema }> })?.content ?? {};
      const sent = Object.values(content).map(({ schema }) => inside({ call, path: [], schema }));
      return [...named, ...sent].flat();
    }),
  );
}

/** A place and all places in it. */
function inside(place: Place): Place[] {
  const { call, path, schema } = place;
  const { properties = {}, items, additionalProperties: rest, anyOf = [], oneOf = [], allOf = [] } = schema;
  const below: [string, Schema][] = Object.entries(properties);
  if (items) below.push(['0', items]);
  if (typeof rest === 'object') below.push(['*', rest]);
  return [
    place,
    ...below.flatMap(([name, each]) => inside({ call, path: [...path, name], schema: each })),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => inside({ call, path, schema: each })),
  ];
}

/** Whether a schema takes values of a type. */
export const has = ({ type }: Schema, name: string): boolean => [type].flat().includes(name);
/** Places as messages name them. */
export const namesOf = (found: readonly Place[]): string[] =>
  found.map(({ call, path }) => `${call} ${path.join('.')}`);

/** The example body of a call with another value at one place; null when the example does not reach that far. */
export function bodyWith({ call, path }: Place, value: unknown): object | null {
  const body: unknown = structuredClone(exampleOf(call)?.body ?? null);
  let at = body;
  for (const name of path.slice(0, -1)) at = (at as Record<string, unknown> | null)?.[name] ?? null;
  const last = path.at(-1);
  if (typeof at !== 'object' || at === null || last === undefined) return null;
  (at as Record<string, unknown>)[last] = value;
  return body as object;
}
