import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Service } from './exchange.ts';
import { asJsonSchema } from './json-schema.ts';

type Json = Record<string, unknown>;

/** An operation of an official document. */
export interface Operation {
  readonly service: Service;
  readonly method: string;
  /** "/listings/2021-08-01/items/{sellerId}/{sku}" */
  readonly template: string;
  readonly matches: RegExp;
  /** The document it stands in, by its key. */
  readonly document: string;
  readonly parameters: readonly Parameter[];
  /** Pointers to schemas within the document, by content type; Swagger 2.0 knows JSON alone. */
  readonly body: ReadonlyMap<string, string>;
  readonly isBodyRequired: boolean;
  /** By status ("200", "default"): the pointer to the schema of JSON, null where none is given. */
  readonly answers: ReadonlyMap<string, string | null>;
}

export interface Parameter {
  readonly in: 'query' | 'header' | 'path';
  readonly name: string;
  readonly isRequired: boolean;
  readonly pointer: string;
  /** Sent as a list with commas, or several times. */
  readonly isList: boolean;
}

export interface OfficialDocuments {
  readonly operations: readonly Operation[];
  /** Documents as JSON Schema, by key. */
  readonly schemas: ReadonlyMap<string, Json>;
  /** The schema language of Shopify. */
  readonly shopify: string;
}

const FOLDERS: readonly Service[] = ['amazon', 'walmart', 'ebay', 'etsy', 'michaels', 'veeqo'];
/** Whose token endpoint stands in the document of all token endpoints, by its host. */
const TOKEN_HOSTS: readonly (readonly [RegExp, Service])[] = [
  [/amazon/, 'amazon'],
  [/ebay/, 'ebay'],
  [/etsy/, 'etsy'],
  [/myshopify|shop/, 'shopify'],
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads every official document in a folder. @throws Error when the folder is not what it should be */
export function readOfficialDocuments(folder: string): OfficialDocuments {
  const operations: Operation[] = [];
  const schemas = new Map<string, Json>();
  for (const service of [...FOLDERS, 'oauth'] as const) {
    for (const file of readdirSync(join(folder, service))) {
      const document = documentIn(join(folder, service, file));
      if (document === null) continue;
      const key = `${service}/${file}`;
      schemas.set(key, asJsonSchema(document));
      operations.push(...operationsOf(document, key, service === 'oauth' ? null : service));
    }
  }
  return {
    operations,
    schemas,
    shopify: readFileSync(join(folder, 'shopify', 'admin_2026-10.graphql'), 'utf8'),
  };
}

function documentIn(path: string): Json | null {
  if (!/\.(json|ya?ml)$/.test(path)) return null;
  const text = readFileSync(path, 'utf8');
  const document: unknown = path.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 });
  const isApi = typeof document === 'object' && document !== null && 'paths' in document;
  return isApi ? (document as Json) : null;
}

function operationsOf(document: Json, key: string, service: Service | null): Operation[] {
  const operations: Operation[] = [];
  const prefix = basePathOf(document);
  for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
    for (const method of METHODS) {
      const operation = item[method] as Json | undefined;
      if (operation === undefined) continue;
      const owner = service ?? ownerOf(operation, item);
      if (owner === null) continue;
      const template = `${prefix}${path}`.replace(/\/{2,}/g, '/');
      const at = `/paths/${escaped(path)}`;
      const parameters = [
        ...parametersAt(document, item.parameters, `${at}/parameters`),
        ...parametersAt(document, operation.parameters, `${at}/${method}/parameters`),
      ];
      operations.push({
        ...{ service: owner, method: method.toUpperCase(), template, document: key, parameters },
        matches: pathPattern(prefix, path),
        ...bodyOf(document, operation, `${at}/${method}`),
        answers: answersOf(document, operation, `${at}/${method}`),
      });
    }
  }
  return operations;
}

/** With or without the base path of the document: a stand-in may leave it out. */
function pathPattern(prefix: string, path: string): RegExp {
  const plain = (text: string): string =>
    text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^(?:${plain(prefix)})?${plain(path)}$`);
}

function ownerOf(operation: Json, item: Json): Service | null {
  const servers = JSON.stringify(operation.servers ?? item.servers ?? '');
  return TOKEN_HOSTS.find(([host]) => host.test(servers))?.[1] ?? null;
}

/** eBay's paths lack what its servers name as a variable; Michaels' base stands in the server's own path. */
function basePathOf(document: Json): string {
  const [server] = (document.servers ?? []) as {
    url?: string;
    variables?: { basePath?: { default?: string } };
  }[];
  const base = server?.variables?.basePath?.default ?? '';
  if (base !== '') return base;
  const path =
    server?.url === undefined || server.url.includes('{') ? '' : new URL(server.url, 'https://host').pathname;
  return path === '/' ? '' : path;
}

function parametersAt(document: Json, list: unknown, pointer: string): Parameter[] {
  return ((list ?? []) as Json[]).flatMap((entry, index) => {
    const [parameter, place] = resolved(document, entry, `${pointer}/${index}`);
    const { in: where, name, required } = parameter as { in?: string; name?: string; required?: boolean };
    if (where !== 'query' && where !== 'header' && where !== 'path') return [];
    const schema = (parameter.schema ?? parameter) as Json;
    const type = schema.type ?? (resolved(document, schema, '')[0] as Json).type;
    return [
      {
        ...{ in: where, name: name ?? '', isRequired: required === true, isList: type === 'array' },
        pointer: parameter.schema === undefined ? place : `${place}/schema`,
      },
    ];
  });
}

function bodyOf(document: Json, operation: Json, at: string): Pick<Operation, 'body' | 'isBodyRequired'> {
  const old = ((operation.parameters ?? []) as Json[]).findIndex(
    (entry, index) => resolved(document, entry, `${at}/parameters/${index}`)[0].in === 'body',
  );
  if (old >= 0) {
    const [parameter, place] = resolved(
      document,
      (operation.parameters as Json[])[old] as Json,
      `${at}/parameters/${old}`,
    );
    return {
      body: new Map([['application/json', `${place}/schema`]]),
      isBodyRequired: parameter.required === true,
    };
  }
  if (operation.requestBody === undefined) return { body: new Map(), isBodyRequired: false };
  const [body, place] = resolved(document, operation.requestBody as Json, `${at}/requestBody`);
  const types = Object.keys((body.content ?? {}) as Json);
  return {
    body: new Map(types.map((type) => [type, `${place}/content/${escaped(type)}/schema`])),
    isBodyRequired: body.required === true,
  };
}

function answersOf(document: Json, operation: Json, at: string): ReadonlyMap<string, string | null> {
  const answers = new Map<string, string | null>();
  for (const [status, entry] of Object.entries((operation.responses ?? {}) as Record<string, Json>)) {
    const [answer, place] = resolved(document, entry, `${at}/responses/${status}`);
    const content = (answer.content ?? {}) as Json;
    const json = Object.keys(content).find((type) => /json|\*\/\*/.test(type));
    if (answer.schema !== undefined) answers.set(status, `${place}/schema`);
    else answers.set(status, json === undefined ? null : `${place}/content/${escaped(json)}/schema`);
  }
  return answers;
}

/** What a reference leads to, and the pointer to it. */
function resolved(document: Json, entry: Json, pointer: string): readonly [Json, string] {
  if (typeof entry.$ref !== 'string') return [entry, pointer];
  const place = entry.$ref.replace(/^#/, '');
  let node: unknown = document;
  for (const part of place.split('/').slice(1)) {
    node = (node as Json)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return resolved(document, node as Json, place);
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
