import { ACCESS_LABELS } from '#server/access.ts';

/** The parts of an OpenAPI 3.1 document that types are made of. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  /** Only of what an API token may call. */
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const HEADER = `/**
 * The calls of Pricewright's API that take an API token, and what they send and answer. Made by \`npm run api:client\` from
 * the description of the API (GET /api/docs/json): change that, not this file.
 */

`;

/** Columns of a line of the file. */
const WIDTH = 110;

/**
 * TypeScript types of all calls that an API token may make: an interface `Calls` by method and address, and the schemas
 * that these and errors refer to, by name. Not by openapi-typescript, which needs TypeScript 5 next to ours.
 */
export function callTypes({ paths, components: { schemas } }: ApiDocument): string {
  const calls = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ operation }) => operation.security !== undefined)
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
  const members = calls.map(
    ({ path, method, operation }) =>
      `${comment([operation.summary, needsOf(operation)], '  ')}  '${method.toUpperCase()} ${path}': ${typeOfCall(operation)};\n`,
  );
  const types = namesUsedIn(calls, schemas).map((name) => {
    const schema = schemas[name] ?? {};
    return `${comment([schema.description], '')}export type ${name} = ${typeOf(schema, '')};\n`;
  });
  return `${HEADER}export interface Calls {\n${members.join('')}}\n\n${types.join('\n')}`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The names of the schemas that something refers to, at any depth, in alphabetical order. */
function namesUsedIn(calls: unknown, schemas: ApiDocument['components']['schemas']): string[] {
  const found = new Set<string>();
  const left = [calls];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      left.push(schemas[name]);
    }
  }
  return [...found].toSorted(compare);
}

/** What a call needs besides an account, which every token has. */
const needsOf = ({ description = '' }: Operation): string =>
  description.replace(ACCESS_LABELS.loggedIn, '').trim();

/** What a call takes: `path`, `query`, `body`; and its `answer`. */
function typeOfCall({ parameters = [], requestBody, responses }: Operation): string {
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const members = [
    ...parametersOf('path', of('path')),
    ...parametersOf('query', of('query')),
    ...(requestBody === undefined
      ? []
      : [`body${requestBody.required === true ? '' : '?'}: ${typeOfContent(requestBody.content)}`]),
    `answer: ${typeOfContent(good?.content)}`,
  ];
  return block(
    members.map((member) => `    ${member};\n`),
    '  ',
  );
}

function parametersOf(place: 'path' | 'query', parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const needed = parameters.filter(({ required }) => required === true);
  const members = parameters.map(
    ({ name, required, description, schema }) =>
      `${comment([description], '      ')}      ${keyOf(name)}${required === true ? '' : '?'}: ${typeOf(schema, '      ')};\n`,
  );
  return [`${place}${needed.length > 0 ? '' : '?'}: ${block(members, '    ')}`];
}

/** A body of the first type of content; a schema that says nothing is that of a file. */
function typeOfContent(content: Content | undefined): string {
  const [first] = Object.entries(content ?? {});
  if (first === undefined) return 'undefined';
  const [type, { schema }] = first;
  return type !== 'application/json' && Object.keys(schema).length === 0 ? 'Blob' : typeOf(schema, '    ');
}

/** @param indent the spaces before the line that the type is on */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.enum !== undefined) return union(schema.enum.map(literal), indent);
  if (schema.const !== undefined) return literal(schema.const);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined)
    return union(
      alternatives.map((each) => typeOf(each, `${indent}  `)),
      indent,
    );
  const types = [schema.type ?? []].flat();
  if (types.length > 0)
    return union(
      types.map((type) => typeOfKind(type, schema, indent)),
      indent,
    );
  const parts = (schema.allOf ?? []).map((each) => inBrackets(typeOf(each, indent)));
  return parts.length === 0 ? 'unknown' : parts.join(' & ');
}

function typeOfKind(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return typeOfArray(schema, indent);
  return type === 'object' ? typeOfObject(schema, indent) : type;
}

function typeOfArray({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((each) => typeOf(each, indent)).join(', ')}]`;
  return `${inBrackets(typeOf(items ?? {}, indent))}[]`;
}

function typeOfObject(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const isRequired = new Set(required);
  const members = Object.entries(properties).map(
    ([name, each]) =>
      `${comment([each.description], `${indent}  `)}${indent}  ${keyOf(name)}${isRequired.has(name) ? '' : '?'}: ${typeOf(each, `${indent}  `)};\n`,
  );
  if (members.length > 0) return block(members, indent);
  if (typeof additionalProperties !== 'object') return 'Record<string, never>';
  const keys = typeOf(propertyNames ?? { type: 'string' }, indent);
  const record = `Record<${keys}, ${typeOf(additionalProperties, indent)}>`;
  return keys === 'string' || required.length > 0 ? record : `Partial<${record}>`;
}

const block = (members: readonly string[], indent: string): string => `{\n${members.join('')}${indent}}`;

/** On one line, or on one for each where that is too long. */
function union(types: readonly string[], indent: string): string {
  const different = [...new Set(types)];
  const line = different.join(' | ');
  if (different.length === 1 || line.includes('\n') || indent.length + line.length < WIDTH - 30) return line;
  return different.map((type) => `\n${indent}  | ${type}`).join('');
}

const inBrackets = (type: string): string => (/^[\w.]+$/.test(type) ? type : `(${type})`);

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** A comment with its line break; nothing without a text. */
function comment(texts: readonly (string | undefined)[], indent: string): string {
  const text = texts.filter((each) => each !== undefined && each !== '').join('. ');
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}
