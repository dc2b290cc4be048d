type Json = Record<string, unknown>;

/** Words of OpenAPI that mean nothing, or something else, to a validator of JSON Schema. */
const NOT_JSON_SCHEMA = ['nullable', 'discriminator', 'example', 'xml', 'externalDocs', 'collectionFormat'];

/**
 * Every schema in an OpenAPI 3.0 or Swagger 2.0 document as JSON Schema, references included: "nullable" becomes a type,
 * and words that only OpenAPI knows go. The document itself stays as it is.
 */
export function asJsonSchema(document: Json): Json {
  return changed(document) as Json;
}

function changed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(changed);
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Json;
  // A reference stands alone: what lies beside it counts for nothing in these versions.
  if (typeof node.$ref === 'string') return { $ref: node.$ref };
  const entries = Object.entries(node)
    .filter(([name, member]) => !isForeign(name, member))
    .map(([name, member]) => [name, name === 'properties' ? propertiesOf(member) : changed(member)]);
  const schema: Json = withBounds(Object.fromEntries(entries));
  return node.nullable === true ? orNull(schema) : schema;
}

/** "exclusiveMinimum: true" beside a minimum became the bound itself later. */
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

/** Properties may be called like a word of OpenAPI. */
function propertiesOf(properties: unknown): unknown {
  if (typeof properties !== 'object' || properties === null) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, changed(member)]));
}

function isForeign(name: string, member: unknown): boolean {
  // Swagger 2.0 says "required: true" of a parameter; a schema has a list there.
  if (name === 'required') return typeof member === 'boolean';
  return (
    name.startsWith('x-') ||
    (NOT_JSON_SCHEMA.includes(name) && typeof member !== 'object') ||
    name === 'example'
  );
}

function orNull(schema: Json): Json {
  const { type, enum: values, ...rest } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...rest,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}
