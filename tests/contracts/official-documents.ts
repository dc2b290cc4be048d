import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DOCUMENT_FILES, SHOPIFY, TOKEN_FILE } from './document-files.ts';
import type { Service } from './exchange.ts';
import { type Json, resolved } from './references.ts';

/** The place of a schema: the key of a document and a JSON pointer, "amazon/feeds.json#/definitions/Feed". */
export type SchemaPlace = string;

/** An operation of an official document. */
export interface Operation {
  readonly service: Service;
  readonly method: string;
  /** "/listings/2021-08-01/items/{sellerId}/{sku}" */
  readonly template: string;
  readonly matches: RegExp;
  /** What the query of a call has to name for this operation. */
  readonly query: URLSearchParams;
  readonly parameters: readonly Parameter[];
  /** By content type without parameters; Swagger 2.0 supports JSON only. */
  readonly body: ReadonlyMap<string, SchemaPlace>;
  readonly isBodyRequired: boolean;
  /** By status: the JSON schema; null without one. */
  readonly answers: ReadonlyMap<number, SchemaPlace | null>;
}

export interface Parameter {
  readonly in: 'query' | 'header';
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: SchemaPlace;
  /** Whether it is sent as a comma-separated list or repeated. */
  readonly isList: boolean;
}

export interface OfficialDocuments {
  readonly operations: readonly Operation[];
  /** The parsed documents by key. */
  readonly documents: ReadonlyMap<string, Json>;
  /** Shopify's GraphQL schema. */
  readonly shopify: string;
}

/** Services by host, for the document with all token endpoints. */
const TOKEN_HOSTS: readonly (readonly [RegExp, Service])[] = [
  [/amazon/, 'amazon'],
  [/ebay/, 'ebay'],
  [/etsy/, 'etsy'],
  [/myshopify/, 'shopify'],
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads the official documents in a folder. @throws Error if one of them is missing */
export function readOfficialDocuments(folder: string): OfficialDocuments {
  const documents = new Map<string, Json>();
  const read = (key: string, service: Service | null): Operation[] => {
    const text = readFileSync(join(folder, key), 'utf8');
    // JSON is valid YAML but parses much faster as JSON.
    const document: Json = key.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 });
    documents.set(key, document);
    return operationsOf(document, key, service);
  };
  const services = Object.entries(DOCUMENT_FILES) as [keyof typeof DOCUMENT_FILES, readonly string[]][];
  const operations = services.flatMap(([service, files]) =>
    files.flatMap((file) => read(`${service}/${file}`, service)),
  );
  operations.push(...read(TOKEN_FILE, null));
  return { operations, documents, shopify: readFileSync(join(folder, SHOPIFY.file), 'utf8') };
}

/** @param service null if the host of each operation identifies its service */
function operationsOf(document: Json, key: string, service: Service | null): Operation[] {
  const base = basePathOf(document);
  return Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) =>
    METHODS.flatMap((method): Operation[] => {
      const operation = item[method] as Json | undefined;
      const owner = service ?? ownerOf(operation);
      if (operation === undefined || owner === null) return [];
      const template = `${base}${path}`;
      // Walmart's document has calls whose path ends with a query.
      const [route = '', query = ''] = template.split('?');
      const at = `${key}#/paths/${escaped(path)}`;
      return [
        {
          service: owner,
          method: method.toUpperCase(),
          template,
          matches: pathPattern(route),
          query: new URLSearchParams(query),
          parameters: [
            ...parametersAt(document, item.parameters, `${at}/parameters`),
            ...parametersAt(document, operation.parameters, `${at}/${method}/parameters`),
          ],
          ...bodyOf(document, operation, `${at}/${method}`),
          answers: answersOf(document, operation, `${at}/${method}`),
        },
      ];
    }),
  );
}

function pathPattern(template: string): RegExp {
  const plain = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${plain}$`);
}

function ownerOf(operation: Json | undefined): Service | null {
  const servers = JSON.stringify(operation?.servers ?? '');
  return TOKEN_HOSTS.find(([host]) => host.test(servers))?.[1] ?? null;
}

/** The base path in Swagger 2.0; otherwise the path of the first server with its variables filled in. */
function basePathOf(document: Json): string {
  const [server = {}] = (document.servers ?? []) as Json[];
  const variables = (server.variables ?? {}) as Readonly<Record<string, Json>>;
  const url = String(server.url ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    String(variables[name]?.default ?? ''),
  );
  const path = document.basePath ?? (URL.canParse(url) ? new URL(url).pathname : '');
  return String(path).replace(/\/$/, '');
}

function parametersAt(document: Json, list: unknown, place: SchemaPlace): Parameter[] {
  return ((list ?? []) as Json[]).flatMap((entry, index): Parameter[] => {
    const [parameter, at] = resolved(document, entry, `${place}/${index}`);
    const { in: where, name, required } = parameter;
    if (where !== 'query' && where !== 'header') return [];
    // Swagger 2.0 has type and limits in the parameter itself.
    const schema = (parameter.schema ?? parameter) as Json;
    const [{ type }] = resolved(document, schema, at);
    return [
      {
        in: where,
        name: String(name),
        isRequired: required === true,
        isList: type === 'array',
        schema: parameter.schema === undefined ? at : `${at}/schema`,
      },
    ];
  });
}

function bodyOf(
  document: Json,
  operation: Json,
  place: SchemaPlace,
): Pick<Operation, 'body' | 'isBodyRequired'> {
  for (const [index, entry] of ((operation.parameters ?? []) as Json[]).entries()) {
    const [parameter, at] = resolved(document, entry, `${place}/parameters/${index}`);
    if (parameter.in !== 'body') continue;
    const body = new Map([['application/json', `${at}/schema`]]);
    return { body, isBodyRequired: parameter.required === true };
  }
  if (operation.requestBody === undefined) return { body: new Map(), isBodyRequired: false };
  const [body, at] = resolved(document, operation.requestBody as Json, `${place}/requestBody`);
  const types = Object.keys((body.content ?? {}) as Json);
  return {
    body: new Map(types.map((type) => [plainType(type), `${at}/content/${escaped(type)}/schema`])),
    isBodyRequired: body.required === true,
  };
}

function answersOf(document: Json, operation: Json, place: SchemaPlace): Operation['answers'] {
  const answers = new Map<number, SchemaPlace | null>();
  for (const [status, entry] of Object.entries((operation.responses ?? {}) as Record<string, Json>)) {
    const [answer, at] = resolved(document, entry, `${place}/responses/${status}`);
    const json = Object.keys((answer.content ?? {}) as Json).find((type) => /json|\*\/\*/.test(type));
    const content = json === undefined ? null : `${at}/content/${escaped(json)}/schema`;
    answers.set(Number(status), answer.schema === undefined ? content : `${at}/schema`);
  }
  return answers;
}

/** "application/json; charset=utf-8" without its parameters. */
export function plainType(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
