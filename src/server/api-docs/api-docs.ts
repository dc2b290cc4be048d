import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ACCESS_LABELS, demandsOf } from '#server/access.ts';
import { NoBody } from '#server/input-rules.ts';
import type { Demands } from '#usecases/identity/accounts/check-access.ts';
import { tidySchemas } from './component-schemas.ts';
import { exampleOf } from './examples.ts';
import { operationIdOf } from './operation-id.ts';
import { nameSchemas } from './schema-names.ts';
import { SUMMARIES } from './summaries.ts';

const DESCRIPTION = `Every call that the web app makes. Programs send an API token, \`Authorization: Bearer pwt_...\`: each call says which
scope it needs. Browsers log in with POST /api/login; the session is a cookie.

Writes without a token need \`Sec-Fetch-Site: same-origin\`, which browsers send automatically, or an \`Origin\` header with the address
of this server. Money and percentages are decimal strings, timestamps ISO 8601 in UTC. An error has the body
\`{ message, code, requestId, fields? }\`.`;

/** What a GET sends that is no JSON: a file, unless it is named here. */
const STREAMS: Readonly<Record<string, string>> = {
  'GET /api/engine/plan': 'application/x-ndjson',
  'GET /api/events': 'text/event-stream',
  'GET /metrics': 'text/plain',
};

/** What the class of a status means to a program. */
const MEANINGS: Readonly<Record<string, string>> = {
  '2': 'Done.',
  '4': 'Refused: `code` says why, `fields` names what to correct.',
  '5': 'Failed: with `Retry-After` it can be tried again.',
};

/** Describes the API at /api/docs: from the same schemas that check it, with an example of each call. */
export async function serveApiDocs(app: FastifyInstance, version: string): Promise<void> {
  const known = nameSchemas();
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
      const call = `${[input.route.method].flat()[0]} ${input.url}`;
      const described = jsonSchemaTransform({ ...input, schema: describable(input.schema) });
      const { config } = input.route;
      const schema = {
        ...described.schema,
        // An uploaded file is no JSON.
        ...(config?.isUpload === true ? { consumes: ['text/csv'] } : {}),
        ...answersOf(described.schema as Described, call),
      };
      const access = config?.access;
      if (SUMMARIES[call] === undefined || config === undefined || access === undefined)
        return { ...described, schema: schema as FastifySchema };
      const needs = needsOf(demandsOf(config, call.split(' ', 1)[0] ?? ''));
      return {
        ...described,
        schema: {
          ...schema,
          operationId: operationIdOf(call),
          tags: [call.split('/')[2] ?? 'server'],
          summary: SUMMARIES[call],
          description: [ACCESS_LABELS[access], ...needs, ...tokenNeeds(config)].join(' '),
          ...(config.scope == null ? {} : { security: [{ apiToken: [config.scope] }] }),
        } as FastifySchema,
      };
    },
    transformObject: (input) => finished(jsonSchemaTransformObject(input) as Document, known) as never,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { validatorUrl: null } });
}

/** The result of the transform of a route's schema: JSON Schemas by place. */
interface Described {
  response?: Record<string, object>;
}

/** What is read of an OpenAPI document after it was made. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}
interface Operation {
  readonly requestBody?: WithContent & { required?: boolean };
  readonly responses: Readonly<Record<string, WithContent>>;
}
interface WithContent {
  readonly content?: Readonly<
    Record<string, { readonly schema: { readonly anyOf?: readonly { type?: unknown }[] }; example?: unknown }>
  >;
}

/**
 * A route's schema as far as it describes something. Parameters are described one by one, so that the schema of all of
 * them has no name of its own; no body is no empty body.
 */
function describable(schema: FastifySchema | undefined): FastifySchema {
  const { body, querystring, params, ...rest } = schema ?? {};
  return {
    ...rest,
    ...(body === undefined || body === NoBody ? {} : { body }),
    ...(querystring instanceof z.ZodType ? { querystring: querystring.clone(querystring.def) } : {}),
    ...(params instanceof z.ZodType ? { params: params.clone(params.def) } : {}),
  };
}

/** Every response with what it means, and the type of a file. */
function answersOf({ response = {} }: Described, call: string): object {
  const file = { schema: { type: 'string' } };
  const isFile = !Object.keys(response).some((status) => status.startsWith('2'));
  const all: Record<string, object> = isFile
    ? { '200': { content: { [STREAMS[call] ?? 'text/csv']: file } }, ...response }
    : response;
  const described = Object.entries(all).map(([status, answer]) => {
    // The plugin reads the second and drops it; next to a reference it reads the first alone.
    const place = '$ref' in answer ? 'description' : 'x-response-description';
    return [status, { ...answer, [place]: MEANINGS[status.charAt(0)] }];
  });
  return { response: Object.fromEntries(described) };
}

/** What a call requires of an API token; nothing of public calls, which know none. */
function tokenNeeds({ access, scope }: FastifyContextConfig): string[] {
  if (access !== 'loggedIn' && access !== 'admin') return [];
  return [scope == null ? 'Not for API tokens.' : `API tokens need the scope ${scope}.`];
}

/** What a call requires besides the level of its route. */
function needsOf({ proof, twoFactor }: Demands): string[] {
  return [
    ...(proof ? ['Requires a password entered within the last 10 minutes.'] : []),
    ...(twoFactor ? ['Requires two-factor authentication if the server does.'] : []),
  ];
}

/** The whole document, with an example of each call and the schemas that calls refer to. */
function finished(document: Document, known: ReadonlySet<string>): object {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      addExample(operation, `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
      const { requestBody } = operation;
      const body = requestBody?.content?.['application/json']?.schema;
      // The plugin requires every body.
      if (requestBody && body?.anyOf?.some(({ type }) => type === 'null')) requestBody.required = false;
    }
  }
  const { paths, schemas } = tidySchemas(document.paths, document.components.schemas, known);
  return { ...document, paths, components: { ...document.components, schemas } };
}

function addExample({ requestBody, responses }: Operation, call: string): void {
  const example = exampleOf(call);
  const body = requestBody?.content?.['application/json'];
  if (body !== undefined && example?.body != null) body.example = example.body;
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = good?.content?.['application/json'];
  if (answer !== undefined && example?.answer != null) answer.example = example.answer;
}
