import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP's JSON has it, with its attributes by name. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface SpanCollector {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Method, address and headers of each request. */
  readonly requests: { readonly line: string; readonly headers: IncomingHttpHeaders }[];
  /** Everything received, as text. */
  text(): string;
  /** From now on it receives and never answers. */
  fallSilent(): void;
  close(): Promise<void>;
}

type Value = { stringValue?: string; intValue?: number | string };
type Pairs = { key: string; value: Value }[];
interface Sent {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Pairs;
}

/** An OTLP receiver on a free port of this machine. */
export async function startSpanCollector(): Promise<SpanCollector> {
  const spans: ReceivedSpan[] = [];
  const requests: SpanCollector['requests'] = [];
  const bodies: string[] = [];
  let isSilent = false;
  const server = createServer(async (request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const body = (await request.toArray()).join('');
    bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as Sent;
    spans.push(...resourceSpans.flatMap((of) => of.scopeSpans.flatMap((each) => each.spans.map(received))));
    if (!isSilent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    text: () => bodies.join('\n'),
    fallSilent: () => {
      isSilent = true;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function received({ traceId, spanId, parentSpanId, name, kind, status, attributes }: SentSpan): ReceivedSpan {
  const pairs = attributes.map(({ key, value }): [string, string | number] => [
    key,
    value.stringValue ?? Number(value.intValue),
  ]);
  return {
    traceId,
    spanId,
    parentSpanId: parentSpanId || null,
    name,
    kind,
    isError: status.code === 2,
    attributes: Object.fromEntries(pairs),
  };
}
