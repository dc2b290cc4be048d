import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const VEEQO_KEY = 'vq-0123456789';

/** A sellable as Veeqo answers it, with more members than we read. */
export function aSellable(id: number, over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    type: 'ProductVariant',
    title: 'Blue',
    full_title: `Mug ${id} Blue`,
    sku_code: `MUG-${id}`,
    product_title: `Mug ${id}`,
    upc_code: '',
    price: 19.99,
    cost_price: 4.2,
    weight_grams: 226.8,
    weight_unit: 'g',
    stock_entries: [{ warehouse: { name: 'Main', city: '' } }],
    ...over,
  };
}

export function aProduct(id: number, over: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, title: `Mug ${id}`, deleted_at: null, sellables: [aSellable(id)], main_image: null, ...over };
}

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers with a status and a body that is JSON unless it is text already. */
export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export interface FakeVeeqo {
  readonly url: string;
  readonly products: Record<string, unknown>[];
  /** What the next requests get instead of a page, in order. */
  readonly faults: Reply[];
  /** Method and address of every request so far. */
  readonly asked: string[];
  /** Leaves out the headers that report the total. */
  hideTotals(): void;
  close(): Promise<void>;
}

/** An HTTP server that pages through products as Veeqo does, for one API key. */
export async function startFakeVeeqo(): Promise<FakeVeeqo> {
  const products: Record<string, unknown>[] = [];
  const faults: Reply[] = [];
  const asked: string[] = [];
  let reportsTotals = true;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const error = faults.shift();
    if (error !== undefined) return error(request, response);
    if (request.headers['x-api-key'] !== VEEQO_KEY) {
      return reply(401, { error: 'Unauthorized' })(request, response);
    }
    const query = new URL(request.url ?? '', 'http://veeqo.invalid').searchParams;
    const size = Number(query.get('page_size') ?? 12);
    const from = (Number(query.get('page') ?? 1) - 1) * size;
    const totals = {
      'x-total-count': String(products.length),
      'x-total-pages-count': String(Math.ceil(products.length / size)),
    };
    reply(200, products.slice(from, from + size), reportsTotals ? totals : {})(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    products,
    faults,
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hideTotals: () => {
      reportsTotals = false;
    },
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
