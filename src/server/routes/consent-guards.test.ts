import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { consentPlace } from '#db/queries/identity/sealed-columns.ts';
import { answerPage, type ConsentShop, consentCalls, openConsentShop } from '#tests/support/consent-shop.ts';
import { aRegistration } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { openSecret } from '#usecases/identity/encryption/secret-box.ts';

let world: ConsentShop;
beforeEach(async () => {
  world = await openConsentShop();
});
afterEach(() => world.close());

const { begin, agree, bring, rows } = consentCalls(() => world);

describe('permission', () => {
  test('administrators, with a recently entered password', async () => {
    await world.shop.post('/api/register', aRegistration());
    await approveUser(world.shop.deps, 'ann@example.com', false);
    const ann = await world.shop.logIn('ann@example.com');
    const address = await agree('ebay');
    const headers = { cookie: ann };
    const begun = await world.shop.post('/api/connections/ebay/consent', undefined, { headers });
    expect([begun.statusCode, (await bring('ebay', address, ann)).statusCode]).toEqual([403, 403]);
    world.shop.advance(11 * 60_000);
    expect((await bring('ebay', address)).json()).toMatchObject({ code: 'step_up_required' });
  });

  test('a link from another site changes nothing: not even a GET reaches it', async () => {
    const address = await agree('ebay');
    const path = '/api/connections/ebay/consent/answer';
    expect((await world.shop.get(`${path}?${new URL(address).search}`, world.boss)).statusCode).toBe(405);
    const headers = { cookie: world.boss, 'sec-fetch-site': 'cross-site' };
    const crossed = await world.shop.post(path, { address }, { headers });
    expect(crossed.json()).toMatchObject({ code: 'cross_site' });
    expect(await rows()).toHaveLength(1);
  });

  test.each(['walmart', 'shopify', 'constructor'])('none for %s', async (name) => {
    const headers = { cookie: world.boss };
    const answer = await world.shop.post(`/api/connections/${name}/consent`, undefined, { headers });
    expect(answer.statusCode).toBe(400);
  });
});

test('neither state, verifier, code nor token is in the database unencrypted, in the log or the audit log', async () => {
  const page = await begin('etsy');
  const state = new URL(page).searchParams.get('state') ?? '';
  const [row] = await rows();
  if (row === undefined) throw new Error('no authorization is pending');
  expect(state).toMatch(/^[\w-]{43}$/);
  expect(row.state_hash).not.toContain(state);
  const key = await world.shop.deps.secrets.forWriting();
  const verifier = openSecret(key, consentPlace(row.state_hash), row.verifier_encrypted);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  expect(new URL(page).searchParams.get('code_challenge')).toBe(challenge);
  expect(JSON.stringify(row)).not.toContain(verifier);
  const address = await answerPage(page, 'Agree and continue');
  const code = new URL(address).searchParams.get('code');
  expect((await bring('etsy', address)).statusCode).toBe(200);
  const secrets = [state, verifier, code, '12345678.sandbox-refresh'].map(String);
  const { rows: audits } = await world.shop.db.execute(sql`SELECT to_jsonb(a)::text AS row FROM audit_log a`);
  const stored = await world.shop.db.execute(
    sql`SELECT to_jsonb(c)::text AS row FROM connector_credentials c UNION ALL SELECT to_jsonb(t)::text FROM integration_tokens t`,
  );
  const everything = JSON.stringify([audits, stored.rows, world.shop.log]);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(everything).not.toContain(secret);
  }
});

test('a server with a configured address uses it for the redirect, whatever the Host of the request', async () => {
  await world.close();
  world = await openConsentShop({ publicUrl: 'https://prices.example.com' });
  const page = new URL(await begin('etsy'));
  expect(page.searchParams.get('redirect_uri')).toBe('https://prices.example.com/connect/etsy');
});
