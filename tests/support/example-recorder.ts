import { appendFileSync } from 'node:fs';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { DeclaredRoute } from '#server/access.ts';

/** One call that a test made and that went well. */
export interface RecordedCall {
  /** "PUT /api/rules/:id" */
  readonly route: string;
  /** The address as it was called. */
  readonly url: string;
  readonly body: unknown;
  readonly answer: unknown;
}

/**
 * Writes down a call for the examples of the API's description, when RECORD_EXAMPLES names a file.
 * Nothing but good answers: an example shows how a call is meant.
 */
export function recordCall(
  routes: readonly DeclaredRoute[],
  { method = 'GET', url, payload, body = payload }: InjectOptions,
  answer: LightMyRequestResponse,
): void {
  const file = process.env.RECORD_EXAMPLES;
  if (file === undefined || typeof url !== 'string' || answer.statusCode >= 300) return;
  const route = routeOf(routes, method.toUpperCase(), url.split('?', 1)[0] ?? '');
  // The description of the calls is no call of its own.
  if (route === undefined || route.path.startsWith('/api/docs')) return;
  const isJson = answer.headers['content-type']?.toString().startsWith('application/json') ?? false;
  const call: RecordedCall = {
    route: `${route.method} ${route.path}`,
    url,
    body: typeof body === 'object' && !Buffer.isBuffer(body) ? body : null,
    answer: isJson ? answer.json() : null,
  };
  appendFileSync(file, `${JSON.stringify(call)}\n`);
}

/** Of the routes that match, the one with the fewest parts that vary: "/listings/edit" before "/listings/:id". */
function routeOf(routes: readonly DeclaredRoute[], method: string, path: string): DeclaredRoute | undefined {
  const parts = path.split('/');
  const variables = ({ path: pattern }: DeclaredRoute): number => pattern.split(':').length;
  return routes
    .filter((route) => {
      const pattern = route.path.split('/');
      return (
        route.method === method &&
        pattern.length === parts.length &&
        pattern.every((part, index) => part.includes(':') || part === parts[index])
      );
    })
    .sort((a, b) => variables(a) - variables(b))[0];
}
