import { afterEach, beforeEach, expect, test } from 'vitest';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { asOwner } from '#tests/support/test-database.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

test.each(['40001', '40P01', '55P03', '57014'])(
  'a save that others kept from coming through (%s) can be tried again, and says so',
  async (code) => {
    await asOwner(
      shop.app.db,
      `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken off' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER break_off BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION break_off()`,
    );
    const answer = await shop.send('PUT', `/api/listings/${shop.id}/price`, {
      price: '27.50',
      from: '20.00',
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.json()).toMatchObject({
      code: 'unavailable',
      message: 'Another change to the same data is in progress. Try again in a moment.',
    });
    expect((await shop.listing()).currentPrice).toBe(usd(20));
  },
);

test('a transaction that was rolled back once in favor of others is retried without an error', async () => {
  await shop.send('POST', '/api/engine/halt', { reason: 'a look' });
  await asOwner(
    shop.app.db,
    `CREATE SEQUENCE tries;
    CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER break_off BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION break_off()`,
  );
  const answer = await shop.send('POST', '/api/engine/resume', {});
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({ isHalted: false });
});

test('users can still read while the disk is full, and what they save can be sent again', async () => {
  await asOwner(
    shop.app.db,
    `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION no_room();
    CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION no_room()`,
  );
  // Long enough that the use of the session would be recorded.
  shop.app.advance(2 * 60_000);
  expect((await shop.get('/api/listings')).statusCode).toBe(200);
  const saved = await shop.send('PUT', `/api/listings/${shop.id}/price`, { price: '27.50', from: '20.00' });
  expect([saved.statusCode, saved.json().code]).toEqual([503, 'unavailable']);
});
