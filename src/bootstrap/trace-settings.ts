/** Where spans go and which are kept, as the standard variables of OpenTelemetry say. */
export interface TraceSettings {
  /** The whole address that spans are posted to, such as "http://127.0.0.1:4318/v1/traces". */
  readonly url: string;
  /** Sent along. They often hold a key: a secret, never logged. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a trace says about this installation besides its name, such as `deployment.environment.name`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of traces that is kept, from 0 to 1; a trace is kept whole or not at all. */
  readonly ratio: number;
}

/** The variables as they are set; undefined when not. */
export interface TraceVariables {
  readonly OTEL_SDK_DISABLED?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_RESOURCE_ATTRIBUTES?: string | undefined;
  readonly OTEL_SERVICE_NAME?: string | undefined;
  readonly OTEL_TRACES_SAMPLER?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG?: string | undefined;
}

type Name = keyof TraceVariables;
type Found = { readonly traces: TraceSettings | null } | { readonly problem: string };

/** The text that the operator sees for a wrong value; none repeats the value. */
const HINTS = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'must be an http or https address without a user, such as http://127.0.0.1:4318.',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'must be http/json, or not set: spans are sent in that form alone.',
  OTEL_EXPORTER_OTLP_HEADERS: 'must list headers with commas, such as api-key=value,x-tenant=shop.',
  OTEL_RESOURCE_ATTRIBUTES: 'must list pairs with commas, such as deployment.environment.name=production.',
  OTEL_TRACES_SAMPLER:
    'must be always_on, always_off or traceidratio, alone or after parentbased_, such as parentbased_traceidratio.',
  OTEL_TRACES_SAMPLER_ARG: 'must be the share of traces to keep, from 0 to 1, such as 0.1.',
} satisfies Partial<Record<Name, string>>;

/**
 * Reads them. Without an endpoint there are no traces, and the others are not even checked: they may be meant for other
 * programs.
 * @returns null for no traces, or one sentence that names a wrong variable without its value
 */
export function readTraceSettings(set: TraceVariables): Found {
  const endpoint = set.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || set.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return { traces: null };
  const url = tracesUrl(endpoint);
  if (url === null) return wrong('OTEL_EXPORTER_OTLP_ENDPOINT');
  if ((set.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json') !== 'http/json')
    return wrong('OTEL_EXPORTER_OTLP_PROTOCOL');
  const headers = pairsOf(set.OTEL_EXPORTER_OTLP_HEADERS, HEADER_NAME);
  if (headers === null) return wrong('OTEL_EXPORTER_OTLP_HEADERS');
  const attributes = pairsOf(set.OTEL_RESOURCE_ATTRIBUTES, ATTRIBUTE_NAME);
  if (attributes === null) return wrong('OTEL_RESOURCE_ATTRIBUTES');
  const sampler = (set.OTEL_TRACES_SAMPLER ?? 'always_on').replace(/^parentbased_/, '');
  const share = SAMPLERS.get(sampler);
  if (share === undefined) return wrong('OTEL_TRACES_SAMPLER');
  const ratio = share ?? ratioOf(set.OTEL_TRACES_SAMPLER_ARG ?? '1');
  if (ratio === null) return wrong('OTEL_TRACES_SAMPLER_ARG');
  const serviceName = set.OTEL_SERVICE_NAME ?? attributes['service.name'] ?? 'pricewright';
  return { traces: { url, headers, attributes, serviceName, ratio } };
}

/**
 * The share by name without "parentbased_": every trace begins here, so no other program's choice is followed. Null:
 * the argument says it.
 */
const SAMPLERS: ReadonlyMap<string, number | null> = new Map([
  ['always_on', 1],
  ['always_off', 0],
  ['traceidratio', null],
]);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const ATTRIBUTE_NAME = /^[\w.-]+$/;

function wrong(name: keyof typeof HINTS): { problem: string } {
  return { problem: `${name} ${HINTS[name]}` };
}

/** The path of traces below an endpoint, as OTLP names it. A user and password belong into the headers. */
function tracesUrl(endpoint: string): string | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !url.href.startsWith(url.origin)) return null;
  if (url.search !== '' || url.hash !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}/v1/traces`;
}

/** "a=1,b=two%20words": values are percent-encoded, and neither they nor the names may break a line. */
function pairsOf(text: string | undefined, nameForm: RegExp): Record<string, string> | null {
  const pairs: Record<string, string> = {};
  for (const part of (text ?? '').split(',').filter((each) => each.trim() !== '')) {
    const [name = '', ...rest] = part.split('=');
    const value = rest.length === 0 ? null : decoded(rest.join('=').trim());
    if (value === null || !nameForm.test(name.trim())) return null;
    pairs[name.trim()] = value;
  }
  return pairs;
}

function decoded(text: string): string | null {
  try {
    const value = decodeURIComponent(text);
    return /^[\x20-\x7e]*$/.test(value) ? value : null;
  } catch {
    return null;
  }
}

function ratioOf(text: string): number | null {
  const share = Number(text);
  return /^[\d.]+$/.test(text) && share >= 0 && share <= 1 ? share : null;
}
