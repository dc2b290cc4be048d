import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DeclaredRoute } from '#server/access.ts';
import { callTypes } from '#tests/api-client/call-types.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { exampleOf } from './examples.ts';
import { SUMMARIES } from './summaries.ts';

const BOSS = 'boss@example.com';

let shop: TestApp;
let calls: DeclaredRoute[];
beforeAll(async () => {
  shop = await createTestApp();
  await shop.admin();
  calls = shop.app.declaredRoutes.filter(
    ({ path }) => path.startsWith('/api/') && !path.startsWith('/api/docs'),
  );
});
afterAll(() => shop.close());

const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

/** The only schema of a success response in JSON, if there is one. */
function answerOf({ schema }: DeclaredRoute): z.ZodType | null {
  const response = (schema?.response ?? {}) as Record<string, unknown>;
  const good = Object.entries(response).find(([status]) => status.startsWith('2'))?.[1];
  return good instanceof z.ZodType ? good : null;
}

describe('every call of the API', () => {
  test('has a one-line summary, and there is no summary without a call', () => {
    expect(Object.keys(SUMMARIES).sort()).toEqual(calls.map(nameOf).sort());
  });

  test('has an example that its own schemas accept', () => {
    const wrong = calls.flatMap((call) => {
      const example = exampleOf(nameOf(call));
      const body = call.schema?.body instanceof z.ZodType ? call.schema.body : null;
      const answer = answerOf(call);
      if (body === null && answer === null) return [];
      if (example === undefined) return [`${nameOf(call)}: no example`];
      return [
        ...(body?.safeParse(example.body).success === false ? [`${nameOf(call)}: body`] : []),
        ...(answer?.safeParse(example.answer).success === false ? [`${nameOf(call)}: answer`] : []),
      ];
    });
    expect(wrong, 'npm run api:examples makes them anew').toEqual([]);
  });

  test('has a name of its own, and named schemas for what it takes and answers in JSON', async () => {
    const { paths, components } = (await shop.get('/api/docs/json', await shop.logIn(BOSS))).json();
    const operations = Object.values(paths).flatMap((path) => Object.values(path as object));
    const names = operations.flatMap(({ operationId }) => operationId ?? []);
    expect(new Set(names).size).toBe(calls.length);
    // Of the calls that programs make.
    const unnamed = operations.flatMap(({ operationId, security, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) => {
        const { schema } = part?.content?.['application/json'] ?? {};
        if (security === undefined || schema === undefined) return [];
        // A list has a type of its own, and so has an optional body.
        const { $ref } = schema.items ?? schema.anyOf?.[0] ?? schema;
        return $ref === undefined ? [operationId] : [];
      }),
    );
    expect(unnamed, 'export the schema from src/contract, and its file in schema-names.ts').toEqual([]);
    const missing = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)].filter(
      ([, name = '']) => components.schemas[name] === undefined,
    );
    expect(missing).toEqual([]);
  });

  test('has its types in the client for programs, where an API token may make it', async () => {
    const document = (await shop.get('/api/docs/json', await shop.logIn(BOSS))).json();
    // npm run api:client writes the file anew.
    await expect(callTypes(document)).toMatchFileSnapshot('../../../clients/typescript/schema.ts');
  });

  test('is described with its summary, its access level, and its example', async () => {
    const cookie = await shop.logIn(BOSS);
    const answer = await shop.get('/api/docs/json', cookie);
    expect(answer.statusCode).toBe(200);
    const { paths } = (await shop.get('/api/docs/json', cookie)).json();
    const post = paths['/api/rules'].post;
    expect(post.operationId).toBe('postRules');
    expect(post).toMatchObject({ summary: 'Creates a rule', tags: ['rules'] });
    expect(post.description).toBe(
      'For logged-in users with an approved account. API tokens need the scope prices.',
    );
    expect(post.security).toEqual([{ apiToken: ['prices'] }]);
    expect(paths['/api/tokens'].post.security).toBeUndefined();
    const sent = post.requestBody.content['application/json'];
    expect(sent.example, JSON.stringify(Object.keys(sent))).toEqual(exampleOf('POST /api/rules')?.body);
    const [good] = Object.values(post.responses) as { content: Record<string, { example: unknown }> }[];
    expect(good?.content['application/json']?.example).toEqual(exampleOf('POST /api/rules')?.answer);
  });
});
