import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  buildSchema,
  execute,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';

interface Answer {
  readonly data?: unknown;
  readonly errors?: unknown;
}

/** Holds GraphQL exchanges, and schemas that are parts of it, against an official schema. */
export class OfficialGraphql {
  readonly #schema: GraphQLSchema;

  constructor(file: string) {
    this.#schema = buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true });
  }

  /** What the official schema does not allow of a query, or of its answer. */
  problems(requestBody: string, responseBody: string): readonly string[] {
    const asked = JSON.parse(requestBody) as { query: string; variables?: Record<string, unknown> };
    const document = parse(asked.query);
    const wrong = validate(this.#schema, document).map(({ message }) => `request ${message}`);
    const { data, errors } = JSON.parse(responseBody) as Answer;
    if (wrong.length > 0) return wrong;
    if (data == null) return Array.isArray(errors) ? [] : ['answer has neither data nor errors'];
    // The query is asked of the answer itself: what the schema does not allow there is an error, or is missing.
    const again = execute({
      ...{ schema: this.#schema, document, rootValue: data, variableValues: asked.variables ?? {} },
      fieldResolver: (source: Record<string, unknown>, _given, _context, { path }) => source[path.key],
      // Where the answer does not tell, any type that can stand there will do.
      typeResolver: (value: { __typename?: string; id?: string }, _context, _info, type) =>
        value.__typename ??
        /^gid:\/\/shopify\/(\w+)\//.exec(value.id ?? '')?.[1] ??
        this.#schema.getPossibleTypes(type)[0]?.name,
    });
    if (again instanceof Promise) throw new Error('the answer is at hand');
    const told = (again.errors ?? []).map(({ message, path = [] }) => `answer ${path.join('.')} ${message}`);
    const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(again.data)), data);
    return told.length > 0 || isSame ? told : ['answer has members that nobody asked for'];
  }

  /** Where another schema is no part of the official one. */
  disagreements(sdl: string): readonly string[] {
    const types = Object.values(buildSchema(sdl).getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    return types.flatMap((type) => {
      const official = this.#schema.getType(type.name);
      if (official === undefined) return [`${type.name} is not known`];
      return partsOf(type).filter((part) => !partsOf(official).includes(part));
    });
  }
}

/** Everything a type says of itself, a line each. */
function partsOf(type: GraphQLNamedType): string[] {
  const { name } = type;
  if (isEnumType(type)) return type.getValues().map((value) => `${name} ${value.name}`);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => `${name}.${field.name}: ${field.type}`);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [`${name} ${type.constructor.name}`];
  return [
    ...type.getInterfaces().map((one) => `${name} implements ${one.name}`),
    ...Object.values(type.getFields()).flatMap((field) => fieldParts(name, field)),
  ];
}

function fieldParts(name: string, field: GraphQLField<unknown, unknown>): string[] {
  const place = `${name}.${field.name}`;
  return [
    `${place}: ${field.type}`,
    ...field.args.map(
      ({ name: argument, type, defaultValue }) =>
        `${place}(${argument}: ${type} = ${JSON.stringify(defaultValue) ?? 'nothing'})`,
    ),
  ];
}
