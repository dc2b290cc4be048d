import { type Json, resolved } from './references.ts';

/** OpenAPI keywords that have no meaning, or another one, in JSON Schema. */
const NOT_JSON_SCHEMA = ['nullable', 'discriminator', 'example', 'xml', 'externalDocs', 'collectionFormat'];

/**
 * Every schema in an OpenAPI 3.0 or Swagger 2.0 document as JSON Schema of 2019, references included: "nullable" becomes
 * a type, OpenAPI-only keywords are removed, and objects that name their members are closed: a response must not have
 * others, or a wrong name would pass as an extra one. The document itself is not changed.
 */
export function asJsonSchema(document: Json): Json {
  return changed(document, { document, isPart: false }) as Json;
}

interface Place {
  readonly document: Json;
  /** One of several schemas that compose an object: each sees the members of the others, so only the whole can be closed. */
  readonly isPart: boolean;
}

function changed(value: unknown, place: Place): unknown {
  const { document, isPart } = place;
  if (Array.isArray(value)) return value.map((each) => changed(each, place));
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Json;
  const closing = !isPart && namesMembers(document, node) ? { unevaluatedProperties: false } : {};
  // These versions ignore all siblings of a reference.
  if (typeof node.$ref === 'string') return { $ref: node.$ref, ...closing };
  const isWhole = node.properties !== undefined || node.allOf !== undefined;
  const whole = { document, isPart: false };
  const part = { document, isPart: true };
  const memberOf = (name: string, member: unknown): unknown => {
    if (name === 'properties') return named(member, whole);
    // Closed where they are used, since they may be composed there.
    if (name === 'definitions' || name === 'schemas') return named(member, part);
    if (name === 'allOf') return changed(member, part);
    if (name === 'anyOf' || name === 'oneOf') return changed(member, isPart || isWhole ? part : whole);
    return changed(member, whole);
  };
  const entries = Object.entries(node)
    .filter(([name, member]) => !isForeign(name, member))
    .map(([name, member]) => [name, memberOf(name, member)]);
  const schema = withBounds({ ...Object.fromEntries(entries), ...(isWhole ? closing : {}) });
  return node.nullable === true ? orNull(schema) : schema;
}

/** Whether a schema names the members of an object; without names all members are allowed. */
function namesMembers(document: Json, node: Json, seen: readonly Json[] = []): boolean {
  const [schema] = resolved(document, node, '');
  if (seen.includes(schema)) return false;
  if (typeof schema.properties === 'object' && schema.properties !== null) return true;
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return parts.some((part: Json) => namesMembers(document, part, [...seen, schema]));
}

/** In later versions "exclusiveMinimum" is the bound itself instead of a flag next to "minimum". */
function withBounds(schema: Json): Json {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  return {
    ...rest,
    ...boundOf('minimum', 'exclusiveMinimum', minimum, exclusiveMinimum),
    ...boundOf('maximum', 'exclusiveMaximum', maximum, exclusiveMaximum),
  };
}

function boundOf(plain: string, exclusive: string, bound: unknown, isExclusive: unknown): Json {
  if (typeof isExclusive === 'number') return { [exclusive]: isExclusive };
  if (bound === undefined) return {};
  return { [isExclusive === true ? exclusive : plain]: bound };
}

/** Schemas by name; names may equal OpenAPI keywords. */
function named(schemas: unknown, place: Place): unknown {
  if (typeof schemas !== 'object' || schemas === null) return schemas;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, changed(schema, place)]));
}

function isForeign(name: string, member: unknown): boolean {
  // Swagger 2.0 parameters have "required: true" where a schema has a list.
  if (name === 'required') return typeof member === 'boolean';
  return (
    name.startsWith('x-') ||
    (NOT_JSON_SCHEMA.includes(name) && typeof member !== 'object') ||
    name === 'example'
  );
}

/** An enum allows null only if null is among its values, as OpenAPI 3.0.3 clarifies. */
function orNull(schema: Json): Json {
  const { type, ...rest } = schema;
  return type === undefined
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...rest, type: [type, 'null'].flat() };
}
