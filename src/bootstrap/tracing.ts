import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Attributes, Span, SpanKind } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import { ConnectorError } from '#connectors/connector-error.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import type { TraceRequest } from '#server/request-traces.ts';
import type { TraceSettings } from './trace-settings.ts';

/** What sending spans may take. Milliseconds and numbers of spans. */
export interface TraceLimits {
  /** Spans that wait; further ones are dropped, so that a collector that is away costs no memory. */
  readonly waiting: number;
  /** Between two sendings. */
  readonly delay: number;
  /** One sending, with its retries. */
  readonly sending: number;
  /** What the end of the process waits for the last spans: the database server needs the rest of its time. */
  readonly closing: number;
}

const TRACE_LIMITS: TraceLimits = { waiting: 2_048, delay: 5_000, sending: 5_000, closing: 1_500 };
const BATCH = 512;

/** What is told of one span besides its times: never an address, a header, a body, a message or what a user entered. */
interface SpanFacts {
  readonly kind?: 'internal' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** Whether transactions below it become spans. Syncs and the engine would bring thousands. */
  readonly hasTransactions?: boolean;
}

/** A span under way. */
interface Scope {
  readonly span: Span;
  readonly hasTransactions: boolean;
  /** Spans below it. */
  children: number;
  /** Attempts of a call. */
  attempts: number;
}

/** Spans of this process, sent to a collector. Nothing here fails or waits because the collector does. */
export interface Tracing {
  readonly traceRequest: TraceRequest;
  /**
   * Does work within a span, which belongs to the one around it.
   * @param isWorthASpan for a result false, nothing is sent unless a call was made on the way: loops look every second
   *   whether there is work
   */
  within<Result>(
    name: string,
    facts: SpanFacts,
    work: () => Promise<Result>,
    isWorthASpan?: (result: Result) => boolean,
  ): Promise<Result>;
  /** Does a transaction within a span, below requests and jobs alone. */
  aroundTransaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Adds to the span under way. */
  describe(attributes: Attributes): void;
  /** Adds an attempt to the call under way. @param status null without a response */
  countAttempt(status: number | null): void;
  /** Names the span under way in a log line, when it is kept. */
  logFields(): Record<string, string>;
  /** Where the first failure after a success is logged, and the first success after a failure. */
  reportTo(log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void;
  /** Sends what waits, within a limit. */
  close(): Promise<void>;
}

/**
 * Loads OpenTelemetry and starts to record. Nothing of the process is changed: no global tracer, no hook of the loader.
 * @param version of this program, such as "1.3.0"
 */
export async function openTracing(
  settings: TraceSettings,
  version: string,
  over: Partial<TraceLimits> = {},
): Promise<Tracing> {
  const limits = { ...TRACE_LIMITS, ...over };
  // Loaded here alone: an installation without a collector pays nothing.
  const [api, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { trace, ROOT_CONTEXT, SpanKind: kinds, SpanStatusCode, TraceFlags } = api;
  let report = (_failure: string | null): void => undefined;
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: limits.sending,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      ...settings.attributes,
      'service.name': settings.serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: reporting(exporter, (failure) => report(failure)),
        maxQueueSize: limits.waiting,
        maxExportBatchSize: Math.min(BATCH, limits.waiting),
        scheduledDelayMillis: limits.delay,
        // The exporter's own limit comes first.
        exportTimeoutMillis: limits.sending + 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('pricewright', version);
  const active = new AsyncLocalStorage<Scope>();

  function start(name: string, kind: SpanKind, facts: SpanFacts, parent: Scope | undefined): Scope {
    const { attributes = {}, hasTransactions = parent?.hasTransactions ?? false } = facts;
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent.span);
    if (parent !== undefined) parent.children += 1;
    const span = tracer.startSpan(name, { kind, attributes }, context);
    return { span, hasTransactions, children: 0, attempts: 0 };
  }

  function fail(span: Span, type: string): void {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }

  const within: Tracing['within'] = async (name, facts, work, isWorthASpan = () => true) => {
    const kind = { internal: kinds.INTERNAL, client: kinds.CLIENT, consumer: kinds.CONSUMER };
    const scope = start(name, kind[facts.kind ?? 'internal'], facts, active.getStore());
    try {
      const result = await active.run(scope, work);
      // One that does not end is never sent.
      if (scope.children > 0 || isWorthASpan(result)) scope.span.end();
      return result;
    } catch (error) {
      fail(scope.span, errorType(error));
      scope.span.end();
      throw error;
    }
  };

  return {
    within,
    traceRequest: (method, route) => {
      const attributes = {
        'http.request.method': method,
        ...(route === null ? {} : { 'http.route': route }),
      };
      const name = route === null ? method : `${method} ${route}`;
      // A connection serves several requests: none belongs to the one before.
      const scope = start(name, kinds.SERVER, { attributes, hasTransactions: true }, undefined);
      return {
        run: (next) => active.run(scope, next),
        end: (status) => {
          if (status !== null) scope.span.setAttribute('http.response.status_code', status);
          if (status !== null && status >= 500) fail(scope.span, String(status));
          scope.span.end();
        },
      };
    },
    aroundTransaction: (work) =>
      active.getStore()?.hasTransactions === true
        ? within('transaction', { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, work)
        : work(),
    describe: (attributes) => void active.getStore()?.span.setAttributes(attributes),
    countAttempt: (status) => {
      const scope = active.getStore();
      if (scope === undefined) return;
      scope.attempts += 1;
      if (status !== null) scope.span.setAttribute('http.response.status_code', status);
      if (scope.attempts > 1) scope.span.setAttribute('http.request.resend_count', scope.attempts - 1);
    },
    logFields: () => {
      const found = active.getStore()?.span.spanContext();
      if (found === undefined || (found.traceFlags & TraceFlags.SAMPLED) === 0) return {};
      return { trace_id: found.traceId, span_id: found.spanId };
    },
    reportTo: (log) => {
      let isFailing = false;
      report = (failure) => {
        if (failure !== null && !isFailing)
          log.warn({ code: failure }, 'traces cannot be sent: those spans are lost');
        if (failure === null && isFailing) log.info('traces are sent again');
        isFailing = failure !== null;
      };
    },
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limits.closing);
      });
      // What failed was reported, and does not fail the end of the process.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** The message of a failure may have the collector's address or words: only its code is passed on. */
function reporting(exporter: SpanExporter, report: (failure: string | null) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        report(error === undefined ? null : 'code' in error ? String(error.code) : error.name);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** A short name of what failed, such as a code: messages contain what users entered and what services said. */
function errorType(error: unknown): string {
  if (error instanceof ConnectorError) return error.fault;
  return databaseErrorCode(error) ?? (error instanceof Error ? error.name : 'unknown');
}
