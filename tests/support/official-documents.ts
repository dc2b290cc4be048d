import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Exchange } from '#sandbox/exchanges.ts';
import type { FaceName } from '#sandbox/faults/fault.ts';
import { OfficialGraphql } from './official-graphql.ts';

/** The official documents of each marketplace, by the folders they lie in. Shopify's is a GraphQL schema: see below. */
const FILES: Partial<Readonly<Record<FaceName, readonly string[]>>> = {
  amazon: [
    ...['catalogItems_2022-04-01', 'feeds_2021-06-30', 'listingsItems_2021-08-01', 'notifications'],
    ...['orders_2026-01-01', 'productFeesV0', 'productPricingV0', 'productPricing_2022-05-01'],
    ...['reports_2021-06-30', 'sellers'],
  ].map((name) => `amazon/${name}.json`),
  walmart: [
    // The first one that knows a call counts: the supplement is newer than the mirror.
    ...['walmart-2026-derived.openapi.yaml', 'auth.json', 'feeds.json', 'insights.json', 'items.json'],
    ...['on-request-reports.json', 'orders.json', 'price.json', 'recon-reports.json', 'notifications.json'],
  ].map((name) => `walmart/${name}`),
  ebay: [
    ...['buy_browse_v1_oas3.yaml', 'sell_feed_v1_oas3.json', 'sell_finances_v1_oas3.yaml'],
    ...['sell_fulfillment_v1_oas3.json', 'sell_inventory_v1_oas3.json', 'sell_analytics_v1_oas3.json'],
    'developer_analytics_v1_beta_oas3.json',
  ].map((name) => `ebay/${name}`),
  etsy: ['etsy/etsy-open-api-v3.json'],
  michaels: ['michaels/michaels-derived.openapi.yaml'],
  veeqo: ['veeqo/veeqo-derived.openapi.yaml'],
};
const TOKENS = 'oauth/token-endpoints-derived.openapi.yaml';
const GRAPHQL = 'shopify/admin_2026-10.graphql';
const GRAPHQL_PATH = /^\/admin\/api\/2026-10\/graphql\.json$/;

type Json = Readonly<Record<string, unknown>>;

interface Call {
  readonly file: string;
  /** JSON pointer of the operation within its file. */
  readonly pointer: string;
  readonly method: string;
  readonly path: RegExp;
  /** How much of the path is fixed: of two that fit, the longer one is meant. */
  readonly weight: number;
  readonly operation: Json;
  readonly shared: Json;
}

/** Holds exchanges against the official documents. */
export class OfficialDocuments {
  readonly #folder: string;
  readonly #documents = new Map<string, Json>();
  readonly #calls = new Map<FaceName, readonly Call[]>();
  readonly #validators = new Map<string, ValidateFunction | null>();
  readonly #ajv: Ajv;
  #graphql: OfficialGraphql | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false });
    addFormats.default(this.#ajv);
  }

  /** What is wrong with a request and its answer; empty when nothing is. Null for a call that no document knows. */
  problems(exchange: Exchange): readonly string[] | null {
    const path = exchange.path.split('?')[0] ?? '';
    if (exchange.face === 'shopify' && GRAPHQL_PATH.test(path)) {
      // Refusals of the shop itself come before GraphQL.
      if (exchange.status !== 200) return [];
      const found = this.graphql().problems(exchange.requestBody, exchange.responseBody);
      return found.map((problem) => `${exchange.operation}: ${problem}`);
    }
    const call = this.#callsOf(exchange.face)
      .filter((one) => one.method === exchange.method.toLowerCase() && one.path.test(path))
      .sort((a, b) => b.weight - a.weight)[0];
    if (call === undefined) return null;
    return [
      ...this.#queryProblems(call, exchange),
      ...this.#bodyProblems(call, exchange),
      ...this.#answerProblems(call, exchange),
    ].map((problem) => `${exchange.method} ${path} (${exchange.status}): ${problem}`);
  }

  /** The schema of Shopify. */
  graphql(): OfficialGraphql {
    this.#graphql ??= new OfficialGraphql(join(this.#folder, GRAPHQL));
    return this.#graphql;
  }

  /** What is wrong with a text that a JSON schema of its own describes: a feed's report, a report. */
  textProblems(file: string, text: string): readonly string[] {
    const known = this.#validators.get(file);
    const validate = known ?? this.#ajv.compile(this.#schema(file));
    this.#validators.set(file, validate);
    if (validate(jsonOf(text)) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  #schema(file: string): Json {
    const schema = JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as Json;
    return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' };
  }

  #callsOf(face: FaceName): readonly Call[] {
    const known = this.#calls.get(face);
    if (known !== undefined) return known;
    const calls = [...(FILES[face] ?? []), TOKENS].flatMap((file) => callsIn(file, this.#document(file)));
    this.#calls.set(face, calls);
    return calls;
  }

  #document(file: string): Json {
    const known = this.#documents.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(this.#folder, file), 'utf8');
    // JSON is YAML too, and much faster read as what it is.
    const document = closed((file.endsWith('.json') ? JSON.parse(text) : parse(text)) as Json);
    this.#documents.set(file, document);
    this.#ajv.addSchema(document, file);
    return document;
  }

  #queryProblems(call: Call, { path }: Exchange): string[] {
    const sent = new Set(new URLSearchParams(path.split('?')[1] ?? '').keys());
    const known = new Map<string, boolean>();
    for (const raw of [...listOf(call.shared.parameters), ...listOf(call.operation.parameters)]) {
      const parameter = this.#resolved(call.file, raw);
      if (parameter.in === 'query') known.set(String(parameter.name), parameter.required === true);
    }
    return [
      ...[...sent].filter((name) => !known.has(name)).map((name) => `unknown parameter ${name}`),
      ...[...known].flatMap(([name, needed]) =>
        needed && !sent.has(name) ? [`without parameter ${name}`] : [],
      ),
    ];
  }

  #bodyProblems(call: Call, { requestBody, requestHeaders }: Exchange): string[] {
    const parameters = listOf(call.operation.parameters);
    const at = parameters.findIndex((raw) => this.#resolved(call.file, raw).in === 'body');
    const pointer = at < 0 ? this.#contentPointer(call, 'requestBody') : `/parameters/${at}/schema`;
    if (pointer === null || requestBody === '') return [];
    const type = requestHeaders['content-type'] ?? '';
    const isText = !/json|form-urlencoded/.test(type);
    if (isText) return [`a body of type ${type}`];
    const isForm = type.startsWith('application/x-www-form-urlencoded');
    const fields = () => JSON.stringify(Object.fromEntries(new URLSearchParams(requestBody)));
    return this.#validate(call, pointer, isForm ? fields() : requestBody, 'request');
  }

  #answerProblems(call: Call, { status, responseBody }: Exchange): string[] {
    const responses = (call.operation.responses ?? {}) as Readonly<Record<string, Json>>;
    const code = String(status);
    const raw = responses[code];
    if (raw === undefined) {
      const knowsRefusals = Object.keys(responses).some((one) => one.startsWith('4'));
      return status !== null && status < 400
        ? [`answers ${code}`]
        : knowsRefusals
          ? [`refuses with ${code}`]
          : [];
    }
    const isInline = this.#resolved(call.file, raw) === raw;
    if (!isInline || responseBody === '') return [];
    const pointer =
      raw.schema === undefined
        ? this.#contentPointer(call, `responses/${code}`)
        : `/responses/${code}/schema`;
    return pointer === null ? [] : this.#validate(call, pointer, responseBody, 'answer');
  }

  /** Where the schema of a body stands that is JSON, else of one that is a form. */
  #contentPointer(call: Call, place: string): string | null {
    const holder = place.split('/').reduce<Json>((at, name) => (at[name] ?? {}) as Json, call.operation);
    const types = Object.keys((holder.content ?? {}) as Json);
    const type =
      types.find((one) => one.includes('json')) ?? types.find((one) => one.includes('form-urlencoded'));
    return type === undefined ? null : `/${place}/content/${escaped(type)}/schema`;
  }

  #validate(call: Call, pointer: string, body: string, side: string): string[] {
    const place = `${call.file}#${call.pointer}${pointer}`;
    if (!this.#validators.has(place)) {
      this.#validators.set(place, this.#ajv.compile({ $ref: encodeURI(place) }));
    }
    const validate = this.#validators.get(place);
    const value = jsonOf(body);
    if (value === undefined) return [`the ${side} is not JSON`];
    if (validate == null || validate(value) === true) return [];
    const errors = validate.errors ?? [];
    return errors.slice(0, 5).map(({ instancePath, message, params }) => {
      return `${side}${instancePath} ${message} ${JSON.stringify(params)}`;
    });
  }

  #resolved(file: string, raw: Json): Json {
    if (typeof raw.$ref !== 'string') return raw;
    const names = raw.$ref.slice(2).split('/');
    return names.reduce<Json>((at, name) => (at[unescaped(name)] ?? {}) as Json, this.#document(file));
  }
}

function callsIn(file: string, document: Json): Call[] {
  const base = String(document.basePath ?? basePathOf(document)).replace(/\/$/, '');
  return Object.entries((document.paths ?? {}) as Readonly<Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => ({
        ...{ file, method, operation: operation as Json, shared: methods },
        pointer: `/paths/${escaped(path)}/${method}`,
        path: new RegExp(`^${`${base}${path}`.replace(/[.+()]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
        weight: path.replace(/\{[^}]+\}/g, '').length,
      })),
  );
}

/** The path of the first server of the document, with its variables filled in. */
function basePathOf(document: Json): string {
  const server = listOf(document.servers)[0] ?? {};
  const variables = (server.variables ?? {}) as Readonly<Record<string, Json>>;
  const url = String(server.url ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    String(variables[name]?.default ?? ''),
  );
  return URL.canParse(url) ? new URL(url).pathname : '';
}

/**
 * The document with every object closed that names its members: an answer must not have others, or a wrong name would
 * pass as one more. Parts of an `allOf` stay open, since each sees the members of the others.
 */
function closed(document: Json): Json {
  const open = new Set<string>();
  visit(document, (node) => {
    for (const part of listOf(node.allOf)) {
      if (typeof part.$ref === 'string') open.add(part.$ref);
      else open.add(JSON.stringify(part));
    }
  });
  const definitions = (document.definitions ??
    (document.components as Json | undefined)?.schemas ??
    {}) as Json;
  const prefix = document.definitions === undefined ? '#/components/schemas/' : '#/definitions/';
  const openNodes = new Set(
    Object.entries(definitions).flatMap(([name, node]) => (open.has(`${prefix}${name}`) ? [node] : [])),
  );
  visit(document, (node) => {
    const isSchema =
      node.type === 'object' && typeof node.properties === 'object' && node.properties !== null;
    if (!isSchema || node.additionalProperties !== undefined || node.allOf !== undefined) return;
    if (openNodes.has(node) || open.has(JSON.stringify(node))) return;
    Object.assign(node, { additionalProperties: false });
  });
  visit(document, letBeNothing);
  visit(document, excludeLimit);
  return document;
}

/** "nullable" beside a reference instead of a type: either what is referred to, or null. */
function letBeNothing(node: Json): void {
  if (node.nullable !== true || node.type !== undefined) return;
  const { nullable: _, ...rest } = node;
  const parts: Record<string, unknown> = node;
  for (const name of Object.keys(node)) delete parts[name];
  parts.anyOf = [rest, { type: 'null' }];
}

function visit(node: unknown, see: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) see(node as Json);
  for (const value of Object.values(node)) visit(value, see);
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** What is a yes beside a limit in OpenAPI 3.0 is the limit itself in JSON Schema. */
function excludeLimit(node: Json): void {
  if (node.exclusiveMinimum === true) Object.assign(node, { exclusiveMinimum: node.minimum ?? 0 });
}
