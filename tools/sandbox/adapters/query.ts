import type { FastifyRequest } from 'fastify';

/** A parameter of the query as text; null when it is not there. Of several the first. */
export function queryText(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : null;
}

/** A parameter that lists several: by commas, or by naming it several times. */
export function queryList(request: FastifyRequest, name: string): string[] {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  const texts = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
  return texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
}

/** A whole number within bounds; what stands instead when it is left out; NaN when it is anything else. */
export function queryNumber(request: FastifyRequest, name: string, otherwise: number, most: number): number {
  const text = queryText(request, name);
  if (text === null) return otherwise;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number <= most ? number : Number.NaN;
}

/** A part of the path. */
export function pathText(request: FastifyRequest, name: string): string {
  const value = (request.params as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

/** A header as text; undefined when it is not there. */
export function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The form that was sent; empty when there is none. */
export function formOf({ body }: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, string>) : {};
}
