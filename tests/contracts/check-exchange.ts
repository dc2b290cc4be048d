import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Deviation, Exchange } from './exchange.ts';
import type { OfficialDocuments, Operation, Parameter } from './official-documents.ts';

/** Checks exchanges against the operations of official documents. */
export interface ExchangeChecker {
  /** What an exchange does that its document does not allow; null when no document knows the call. */
  check(exchange: Exchange): Deviation[] | null;
}

/** Headers that HTTP itself, or every client, sends. */
const COMMON_HEADERS =
  /^(host|connection|accept|content-type|content-length|authorization|user-agent|transfer-encoding)$/;

/** Formats that say how wide a number is, or that vendors made up. */
const UNCHECKED_FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'BigDecimal', 'ISO 3166-1 alpha-2'];

export function exchangeChecker({ operations, schemas }: OfficialDocuments): ExchangeChecker {
  const strict = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  // Queries and headers are text on the wire whatever the document calls them.
  const lenient = new Ajv({ strict: false, allErrors: true, coerceTypes: 'array', validateFormats: false });
  for (const ajv of [strict, lenient]) {
    addFormats.default(ajv);
    for (const format of UNCHECKED_FORMATS) ajv.addFormat(format, true);
    for (const [key, schema] of schemas) ajv.addSchema({ ...schema, $id: `doc:${key}` }, `doc:${key}`);
  }
  const at = (ajv: Ajv, operation: Operation, pointer: string): ValidateFunction =>
    ajv.compile({ $ref: `doc:${operation.document}#${pointer}` });
  return {
    check: (exchange) => {
      const operation = operationOf(operations, exchange);
      if (operation === null) return null;
      const tell = (side: Deviation['side'], where: string, problem: string): Deviation => ({
        ...{
          service: exchange.service,
          call: `${exchange.method} ${operation.template}`,
          side,
          where,
          problem,
        },
      });
      const told = (
        side: Deviation['side'],
        validate: ValidateFunction,
        value: unknown,
        where = '',
      ): Deviation[] =>
        validate(value)
          ? []
          : (validate.errors ?? []).map((error) => tell(side, where + error.instancePath, wordsOf(error)));
      const deviations: Deviation[] = [];
      const { query, requestHeaders } = exchange;
      deviations.push(
        ...parametersOf(operation, new URLSearchParams(query), requestHeaders, (parameter, value) =>
          told(
            'request',
            at(lenient, operation, parameter.pointer),
            value,
            `${parameter.in} ${parameter.name}`,
          ),
        ).map((one) => (typeof one === 'string' ? tell('request', 'parameters', one) : one)),
      );
      deviations.push(
        ...bodyDeviations(operation, exchange, at.bind(null, strict), at.bind(null, lenient), told, tell),
      );
      deviations.push(...answerDeviations(operation, exchange, at.bind(null, strict), told, tell));
      return deviations;
    },
  };
}

type Tell = (side: Deviation['side'], where: string, problem: string) => Deviation;
type Told = (
  side: Deviation['side'],
  validate: ValidateFunction,
  value: unknown,
  where?: string,
) => Deviation[];
type Compile = (operation: Operation, pointer: string) => ValidateFunction;

/** The most particular operation: the one with the fewest variables in its path. */
function operationOf(
  operations: readonly Operation[],
  { service, method, path }: Exchange,
): Operation | null {
  const fitting = operations.filter(
    (each) => each.service === service && each.method === method && each.matches.test(path),
  );
  const variables = ({ template }: Operation): number => template.split('{').length;
  return fitting.toSorted((a, b) => variables(a) - variables(b))[0] ?? null;
}

function parametersOf(
  operation: Operation,
  query: URLSearchParams,
  headers: Exchange['requestHeaders'],
  validate: (parameter: Parameter, value: unknown) => Deviation[],
): (Deviation | string)[] {
  const found: (Deviation | string)[] = [];
  const known = operation.parameters;
  for (const parameter of known) {
    if (parameter.in === 'path') continue;
    const values =
      parameter.in === 'query' ? query.getAll(parameter.name) : headerValues(headers, parameter.name);
    if (values.length === 0) {
      if (parameter.isRequired) found.push(`${parameter.in} ${parameter.name} is missing`);
      continue;
    }
    const list = values.flatMap((value) => value.split(','));
    found.push(...validate(parameter, parameter.isList ? list : values[0]));
  }
  for (const name of new Set(query.keys())) {
    if (!known.some((parameter) => parameter.in === 'query' && parameter.name === name)) {
      found.push(`query ${name} is not in the document`);
    }
  }
  return found;
}

function headerValues(headers: Exchange['requestHeaders'], name: string): string[] {
  const value = headers[name.toLowerCase()];
  // What a recorder leaves out because it is secret, or HTTP's own, counts as sent.
  if (value === undefined) return COMMON_HEADERS.test(name.toLowerCase()) ? ['recorded elsewhere'] : [];
  return [value];
}

function bodyDeviations(
  operation: Operation,
  { requestBody, requestHeaders }: Exchange,
  strict: Compile,
  lenient: Compile,
  told: Told,
  tell: Tell,
): Deviation[] {
  if (requestBody === '') return operation.isBodyRequired ? [tell('request', 'body', 'is missing')] : [];
  const type = (requestHeaders['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const pointer = [...operation.body].find(
    ([known]) => known.split(';')[0]?.trim().toLowerCase() === type,
  )?.[1];
  if (pointer === undefined) {
    return [tell('request', 'body', `has the type ${type || 'none'}, which is not in the document`)];
  }
  if (type === 'application/x-www-form-urlencoded') {
    return told('request', lenient(operation, pointer), Object.fromEntries(new URLSearchParams(requestBody)));
  }
  const body = jsonOf(requestBody);
  return body === undefined
    ? [tell('request', 'body', 'is no JSON')]
    : told('request', strict(operation, pointer), body);
}

function answerDeviations(
  operation: Operation,
  { status, responseBody, responseHeaders }: Exchange,
  strict: Compile,
  told: Told,
  tell: Tell,
): Deviation[] {
  const known = [String(status), 'default'].find((each) => operation.answers.has(each));
  if (known === undefined) {
    return [tell('answer', 'status', `${status} is not in the document`)];
  }
  // Null: the document gives the answer no form.
  const pointer = operation.answers.get(known) ?? null;
  const isJson = /json/.test(responseHeaders['content-type'] ?? '');
  if (pointer === null || !isJson) return [];
  const body = jsonOf(responseBody);
  return body === undefined
    ? [tell('answer', 'body', 'is no JSON')]
    : told('answer', strict(operation, pointer), body);
}

function wordsOf({ message = 'is wrong', params }: ErrorObject): string {
  const detail = Object.values(params as Record<string, unknown>).filter(
    (value) => typeof value === 'string',
  );
  return [message, ...detail].join(' ');
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
