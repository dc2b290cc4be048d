import type { FastifyRequest } from 'fastify';

/** A query parameter as text, the first one if it is repeated; null if it is missing. */
export function queryText(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : null;
}

/** The values of a query parameter that is separated by commas or repeated. */
export function queryList(request: FastifyRequest, name: string): string[] {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  const texts = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
  return texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
}

/** A whole number up to `max`; `otherwise` if the parameter is missing; NaN if it is invalid. */
export function queryNumber(request: FastifyRequest, name: string, otherwise: number, max: number): number {
  const text = queryText(request, name);
  if (text === null) return otherwise;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number <= max ? number : Number.NaN;
}

/** A path parameter; empty if it is missing. */
export function pathText(request: FastifyRequest, name: string): string {
  const value = (request.params as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

/** A header as text; undefined if it is missing. */
export function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The form in the request body; empty if there is none. */
export function formOf({ body }: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, string>) : {};
}
