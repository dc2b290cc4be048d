import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { ACCESS_LABELS, type Access, demandsOf } from '#server/access.ts';
import type { Demands } from '#usecases/identity/accounts/check-access.ts';
import { type CallExample, exampleOf } from './examples.ts';
import { SUMMARIES } from './summaries.ts';

const DESCRIPTION = `Every call that the web app makes. Programs send an API token, \`Authorization: Bearer pwt_...\`: each call says which
scope it needs. Browsers log in with POST /api/login; the session is a cookie.

Writes without a token need \`Sec-Fetch-Site: same-origin\`, which browsers send automatically, or an \`Origin\` header with the address
of this server. Money and percentages are decimal strings, timestamps ISO 8601 in UTC. An error has the body
\`{ message, code, requestId, fields? }\`.`;

/** Describes the API at /api/docs: from the same schemas that check it, with an example of each call. */
export async function serveApiDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Pricewright', version, description: DESCRIPTION },
      components: {
        securitySchemes: {
          apiToken: { type: 'http', scheme: 'bearer', description: 'An API token: pwt_ and 43 characters.' },
        },
      },
    },
    transform: (input) => {
      const described = jsonSchemaTransform(input);
      const { method, config } = input.route;
      const call = `${[method].flat()[0]} ${input.url}`;
      const access = config?.access;
      if (SUMMARIES[call] === undefined || config === undefined || access === undefined) return described;
      const needs = needsOf(demandsOf(config, call.split(' ', 1)[0] ?? ''));
      const schema = {
        ...withExample((described.schema ?? {}) as Described, call, access, [
          ...needs,
          ...tokenNeeds(config),
        ]),
        ...(config.scope == null ? {} : { security: [{ apiToken: [config.scope] }] }),
      };
      return { ...described, schema: schema as FastifySchema };
    },
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { validatorUrl: null } });
}

/** The result of the transform of a route's schema: JSON Schemas by place. */
interface Described {
  body?: object;
  response?: Record<string, object>;
  [more: string]: unknown;
}

/** What a call requires of an API token; nothing of public calls, which know none. */
function tokenNeeds({ access, scope }: FastifyContextConfig): string[] {
  if (access !== 'signedIn' && access !== 'admin') return [];
  return [scope == null ? 'Not for API tokens.' : `API tokens need the scope ${scope}.`];
}

/** What a call requires besides the level of its route. */
function needsOf({ proof, twoFactor }: Demands): string[] {
  return [
    ...(proof ? ['Requires a password entered within the last 10 minutes.'] : []),
    ...(twoFactor ? ['Requires two-factor authentication if the server does.'] : []),
  ];
}

function withExample(schema: Described, call: string, access: Access, needs: readonly string[]): Described {
  const example = exampleOf(call);
  return {
    ...schema,
    tags: [call.split('/')[2] ?? 'server'],
    summary: SUMMARIES[call],
    description: [ACCESS_LABELS[access], ...needs].join(' '),
    ...(schema.body && example?.body ? { body: { ...schema.body, examples: [example.body] } } : {}),
    ...(schema.response ? { response: answersOf(schema.response, example) } : {}),
  };
}

function answersOf(
  response: Record<string, object>,
  example: CallExample | undefined,
): Record<string, object> {
  const entries = Object.entries(response).map(([status, answer]) => {
    const isGood = status.startsWith('2') && example?.answer !== undefined && example.answer !== null;
    return [status, isGood ? { ...answer, examples: [example.answer] } : answer] as const;
  });
  return Object.fromEntries(entries);
}
