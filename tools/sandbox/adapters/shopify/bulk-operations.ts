import type { FastifyInstance } from 'fastify';
import { execute, GraphQLError, parse, validate } from 'graphql';
import { Refusal } from '#sandbox/adapters/adapter.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Task } from '#sandbox/world/tasks.ts';
import { SCHEMA } from './schema.ts';
import { gid } from './values.ts';

const PROCESSING_TIME = 90_000;
const STATUS = { waiting: 'CREATED', working: 'RUNNING', done: 'COMPLETED' } as const;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Row = { readonly [name: string]: Json };

/** Queries that Shopify runs in the background and writes to a file, one object per line. */
export class BulkOperations {
  readonly #market: Market;
  readonly #address: () => string;
  readonly #queries = new Map<string, string>();
  #root: object = {};

  constructor(market: Market, address: () => string) {
    this.#market = market;
    this.#address = address;
  }

  /** The root value of the queries; set later because it refers to this object. */
  answerFrom(root: object): void {
    this.#root = root;
  }

  /** Result files need no token: the address alone grants access. */
  register(app: FastifyInstance): void {
    app.get('/bulk/:number', { config: { operation: 'bulkOperationDocument' } }, async (request, reply) => {
      const text = this.#market.tasks.find(gid('BulkOperation', pathText(request, 'number')))?.output;
      if (text == null) throw new Refusal(404, '<Error><Code>NoSuchKey</Code></Error>');
      return reply.header('content-type', 'application/jsonl').send(text);
    });
  }

  run(query: string) {
    const last = this.#lastTask();
    if (last !== null && last.state !== 'done') {
      const message = `A bulk query operation for this app and shop is already in progress: ${last.id}.`;
      return { bulkOperation: null, userErrors: [{ field: null, code: 'OPERATION_IN_PROGRESS', message }] };
    }
    const problem = problemOf(query);
    if (problem !== null) {
      const message = `Invalid bulk query: ${problem}`;
      return { bulkOperation: null, userErrors: [{ field: ['query'], code: 'INVALID', message }] };
    }
    const id = gid('BulkOperation', 700_000_000_000 + this.#queries.size + 1);
    this.#queries.set(id, query);
    this.#market.tasks.start(id, 'bulk', PROCESSING_TIME, () => this.#write(query));
    return { bulkOperation: this.view(id), userErrors: [] };
  }

  /** The operation started last; null before the first. */
  last() {
    const task = this.#lastTask();
    return task === null ? null : this.view(task.id);
  }

  view(id: string) {
    const task = this.#market.tasks.find(id);
    if (task?.kind !== 'bulk') return null;
    const text = task.output ?? '';
    const rows = text.split('\n').filter((line) => line !== '');
    const roots = rows.filter((line) => !line.includes('"__parentId"'));
    return {
      __typename: 'BulkOperation',
      id,
      status: STATUS[task.state],
      errorCode: null,
      type: 'QUERY',
      // An empty result has no file.
      url: text === '' ? null : `${this.#address()}/bulk/${id.replace(/^.*\//, '')}`,
      partialDataUrl: null,
      objectCount: String(rows.length),
      rootObjectCount: String(roots.length),
      fileSize: task.doneAt === null ? null : String(Buffer.byteLength(text)),
      createdAt: new Date(task.createdAt).toISOString(),
      completedAt: task.doneAt === null ? null : new Date(task.doneAt).toISOString(),
      query: this.#queries.get(id) ?? '',
    };
  }

  #lastTask(): Task | null {
    return this.#market.tasks.list().findLast(({ kind }) => kind === 'bulk') ?? null;
  }

  #write(query: string): string {
    const context = { request: null, isBulk: true };
    const answer = execute({
      schema: SCHEMA,
      document: parse(query),
      rootValue: this.#root,
      contextValue: context,
    });
    if (answer instanceof Promise) throw new Error('everything of a bulk operation is at hand');
    const [root] = Object.values(JSON.parse(JSON.stringify(answer.data ?? {})) as Row);
    return nodesIn(root ?? null)
      .flatMap((node) => linesOf(node, null))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('');
  }
}

function problemOf(query: string): string | null {
  try {
    const document = parse(query);
    const [error] = validate(SCHEMA, document);
    if (error !== undefined) return error.message;
    return query.includes('edges') || query.includes('nodes') ? null : 'a connection is needed';
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}

/** An object without its connections, which are written as separate lines with its ID as parent. */
function linesOf(node: Row, parent: string | null): Row[] {
  const inner = Object.values(node).flatMap(nodesIn);
  const own = Object.entries(node).filter(([, value]) => !isConnection(value));
  const row = { ...Object.fromEntries(own), ...(parent === null ? {} : { __parentId: parent }) };
  return [row, ...inner.flatMap((one) => linesOf(one, String(node.id)))];
}

function isConnection(value: Json | undefined): value is Row {
  return isRow(value) && (Array.isArray(value.edges) || Array.isArray(value.nodes));
}

function nodesIn(value: Json): Row[] {
  if (!isConnection(value)) return [];
  const { edges, nodes } = value;
  const list: readonly Json[] = Array.isArray(nodes) ? nodes : Array.isArray(edges) ? edges : [];
  return list.flatMap((one) => (isRow(one) ? [isRow(one.node) ? one.node : one] : []));
}

function isRow(value: Json | undefined): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
