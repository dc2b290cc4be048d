import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { receivedBody } from './received-body.ts';

/** A request as it arrived. */
export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body read as JSON; undefined when it is none. */
  readonly json: unknown;
}

/** What a route answers: a body that is sent as JSON unless it is text, or whatever it does to the response itself. */
export type Answer =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

/** The connection stays open, and nothing comes. */
export const silence: Answer = () => undefined;

/** Milliseconds for an answer: those that never come are not waited for, and no busy machine is late for the others. */
export function limitsFor(answers: readonly Answer[]): { readonly whole: number } {
  return { whole: answers.includes(silence) ? 100 : 30_000 };
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (requested: Asked) => Answer;
}

/** A service whose answers a test writes itself. The newest route that fits answers; without one it says 404. */
export interface FakeService {
  readonly url: string;
  readonly asked: Asked[];
  on(method: string, path: RegExp, answer: (requested: Asked) => Answer): void;
  /** What the next requests get instead, in order. */
  readonly faults: Answer[];
  /** Only requests of this method and path get faults: "PUT /v3/price". All do otherwise. */
  faultsOnly(requests: RegExp): void;
  close(): Promise<void>;
}

export async function startFakeService(): Promise<FakeService> {
  const asked: Asked[] = [];
  const faults: Answer[] = [];
  const routes: Route[] = [];
  let faulty = /^/;
  const server = createServer(async (request, response) => {
    const received = await receivedBody(request);
    if (received === null) return undefined;
    const one = askedOf(request, received.toString('utf8'));
    asked.push(one);
    const route = routes.findLast(({ method, path }) => method === one.method && path.test(one.path));
    const error = faulty.test(`${one.method} ${one.path}`) ? faults.shift() : undefined;
    const answer = error ?? route?.answer(one) ?? { status: 404, body: { message: 'no such route' } };
    if (typeof answer === 'function') return answer(response);
    const { status = 200, body, headers } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    return void response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    faults,
    faultsOnly: (requests) => {
      faulty = requests;
    },
    on: (method, path, answer) => void routes.push({ method, path, answer }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function askedOf(request: IncomingMessage, text: string): Asked {
  const { method = '', url = '', headers } = request;
  return {
    method,
    path: url,
    query: new URL(url, 'http://fake').searchParams,
    headers,
    text,
    json: jsonOf(text),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
