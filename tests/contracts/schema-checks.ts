import type { ErrorObject } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { asJsonSchema } from './json-schema.ts';
import type { SchemaPlace } from './official-documents.ts';
import type { Json } from './references.ts';

/** A deviation of a value from its schema, with its place. */
export interface SchemaProblem {
  /** "/orders/0/orderItems"; empty for the value itself. */
  readonly where: string;
  readonly problem: string;
}
type Check = (place: SchemaPlace, value: unknown) => SchemaProblem[];

/** Checks values against schemas by place. */
export interface SchemaChecks {
  /** For JSON values. */
  readonly json: Check;
  /** For queries, headers and forms, which are sent as text whatever their type in the document. */
  readonly text: Check;
}

/** @param documents in OpenAPI 3.0 or Swagger 2.0, by key */
export function schemaChecks(documents: ReadonlyMap<string, Json>): SchemaChecks {
  const schemas = [...documents].map(([key, document]) => ({ ...asJsonSchema(document), $id: idOf(key) }));
  const options = { strict: false, allErrors: true, validateSchema: false, logger: false } as const;
  const checkBy = (ajv: Ajv2019): Check => {
    addFormats.default(ajv);
    for (const schema of schemas) ajv.addSchema(schema);
    const compile = (place: SchemaPlace) => ajv.compile({ $ref: idOf(place) });
    const compiled = new Map<SchemaPlace, ReturnType<typeof compile>>();
    return (place, value) => {
      const validate = compiled.get(place) ?? compile(place);
      compiled.set(place, validate);
      return validate(value) ? [] : (validate.errors ?? []).map(problemOf);
    };
  };
  return {
    json: checkBy(new Ajv2019(options)),
    text: checkBy(new Ajv2019({ ...options, coerceTypes: 'array' })),
  };
}

/** Keys need their own URL scheme: without one they would be relative addresses. */
function idOf(key: string): string {
  return `doc:${key}`;
}

function problemOf({ instancePath, message = 'is wrong', params }: ErrorObject): SchemaProblem {
  const details = Object.values(params as Json).filter((value) => typeof value === 'string');
  const news = details.filter((value) => !message.includes(value));
  return { where: instancePath, problem: [message, ...news].join(' ') };
}
