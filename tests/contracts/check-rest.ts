import type { Deviation, Exchange } from './exchange.ts';
import { type OfficialDocuments, type Operation, plainType, type SchemaPlace } from './official-documents.ts';
import { type SchemaChecks, type SchemaProblem, schemaChecks } from './schema-checks.ts';

/** @returns the deviations of an exchange from its document; null if no document describes the call */
export function restChecker({
  operations,
  documents,
}: Pick<OfficialDocuments, 'operations' | 'documents'>): (exchange: Exchange) => Deviation[] | null {
  const checks = schemaChecks(documents);
  return (exchange) => {
    const operation = operationOf(operations, exchange);
    if (operation === null) return null;
    const { service, method } = exchange;
    const call = `${method} ${operation.template}`;
    const inRequest = [
      ...parameterProblems(operation, exchange, checks),
      ...unknownQueries(operation, exchange),
      ...bodyProblems(operation, exchange, checks),
    ];
    const inAnswer = answerProblems(operation, exchange, checks);
    return [
      ...inRequest.map((problem): Deviation => ({ service, call, side: 'request', ...problem })),
      ...inAnswer.map((problem): Deviation => ({ service, call, side: 'answer', ...problem })),
    ];
  };
}

/** The most specific operation: the one with the fewest path variables and the most fixed queries, and of those the first. */
function operationOf(
  operations: readonly Operation[],
  { service, method, path, query }: Exchange,
): Operation | null {
  const queries = new URLSearchParams(query);
  const fitting = operations.filter(
    (each) =>
      each.service === service &&
      each.method === method &&
      each.matches.test(path) &&
      [...each.query].every(([name, value]) => queries.get(name) === value),
  );
  const variables = ({ template }: Operation): number => template.split('{').length;
  return fitting.toSorted((a, b) => variables(a) - variables(b) || b.query.size - a.query.size)[0] ?? null;
}

function parameterProblems(
  { parameters }: Operation,
  { query, requestHeaders }: Exchange,
  checks: SchemaChecks,
): SchemaProblem[] {
  const queries = new URLSearchParams(query);
  return parameters.flatMap((parameter) => {
    const { name, isRequired, isList, schema } = parameter;
    const where = `${parameter.in} ${name}`;
    const header = requestHeaders[name.toLowerCase()];
    const values = parameter.in === 'query' ? queries.getAll(name) : header === undefined ? [] : [header];
    if (values.length === 0) return isRequired ? [{ where, problem: 'is missing' }] : [];
    const value = isList ? values.flatMap((each) => each.split(',')) : values[0];
    return checks
      .text(schema, value)
      .map((found) => ({ where: where + found.where, problem: found.problem }));
  });
}

function unknownQueries({ parameters, query: fixed }: Operation, { query }: Exchange): SchemaProblem[] {
  const described = parameters.flatMap((each) => (each.in === 'query' ? [each.name] : []));
  const known = new Set([...described, ...fixed.keys()]);
  const sent = new Set(new URLSearchParams(query).keys());
  return [...sent]
    .filter((name) => !known.has(name))
    .map((name) => ({ where: `query ${name}`, problem: 'is not in the document' }));
}

function bodyProblems(
  { body, isBodyRequired }: Operation,
  { requestBody, requestHeaders }: Exchange,
  checks: SchemaChecks,
): SchemaProblem[] {
  const where = 'body';
  if (requestBody === '') return isBodyRequired ? [{ where, problem: 'is missing' }] : [];
  const type = plainType(requestHeaders['content-type'] ?? '');
  const schema = body.get(type);
  if (schema === undefined) {
    return [{ where, problem: `has the type ${type || 'none'}, which is not in the document` }];
  }
  if (type === 'application/x-www-form-urlencoded') {
    return checks.text(schema, Object.fromEntries(new URLSearchParams(requestBody)));
  }
  return jsonProblems(schema, requestBody, checks);
}

function answerProblems(
  { answers }: Operation,
  { status, responseBody, responseHeaders }: Exchange,
  checks: SchemaChecks,
): SchemaProblem[] {
  if (status === null) return [{ where: 'status', problem: 'is missing' }];
  const schema = answers.get(status);
  if (schema === undefined) return [{ where: 'status', problem: `${status} is not in the document` }];
  const isJson = /json/.test(responseHeaders['content-type'] ?? '');
  // Null means that the document has no schema for the response.
  if (schema === null || (responseBody === '' && !isJson)) return [];
  return jsonProblems(schema, responseBody, checks);
}

function jsonProblems(schema: SchemaPlace, text: string, checks: SchemaChecks): SchemaProblem[] {
  const value = jsonOf(text);
  return value === undefined ? [{ where: 'body', problem: 'is no JSON' }] : checks.json(schema, value);
}

/** Undefined for text that is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
