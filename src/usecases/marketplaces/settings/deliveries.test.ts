import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialsOf, missingCredentials, priceChannelOf } from '#domain/connections/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { isSetIn, readStoredSettings } from './stored-credentials.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await createTestApp();
});
afterAll(() => shop.close());

/** Every subset of the members that matter: those that are needed or give leave, and every secret. */
function subsets(marketplace: Marketplace): string[][] {
  const needed = credentialsOf(marketplace).filter(
    ({ name, isSecret }) =>
      isSecret ||
      missingCredentials(marketplace, (each) => each !== name).length > 0 ||
      name === 'clientId' ||
      name === 'allowWrites',
  );
  const all: string[][] = [[]];
  for (const { name } of needed) all.push(...all.map((each) => [...each, name]));
  return all;
}

const snake = (text: string): string => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function store(marketplace: Marketplace, names: readonly string[], isEnabled: boolean): Promise<void> {
  const columns = credentialsOf(marketplace).filter(({ isFurther }) => !isFurther);
  const values = columns.map(
    ({ name }) =>
      sql`${sql.identifier(`${marketplace}_${snake(name)}`)} = ${names.includes(name) ? 'x' : null}`,
  );
  await shop.db.execute(sql`DELETE FROM connector_credentials`);
  for (const { name, isFurther } of credentialsOf(marketplace)) {
    if (!isFurther || !names.includes(name)) continue;
    await shop.db.execute(
      sql`INSERT INTO connector_credentials (holder, name, value) VALUES (${marketplace}, ${name}, 'x')`,
    );
  }
  await shop.db.execute(sql`
    UPDATE app_settings SET ${sql.identifier(`${marketplace}_enabled`)} = ${isEnabled}, ${sql.join(values, sql`, `)}`);
}

test.each(MARKETPLACES)(
  '%s: the database and the program agree on how prices go out, whatever is stored',
  async (marketplace) => {
    const seen = new Set<string>();
    for (const names of subsets(marketplace)) {
      for (const isEnabled of [true, false]) {
        await store(marketplace, names, isEnabled);
        const { rows } = await shop.db.execute<{ price_channel: string }>(
          sql`SELECT price_channel FROM integrations WHERE marketplace = ${marketplace}`,
        );
        const expected = priceChannelOf(marketplace, isEnabled, (name) => names.includes(name));
        expect([names, isEnabled, rows[0]?.price_channel]).toEqual([names, isEnabled, expected]);
        const isSet = isSetIn(await readStoredSettings(shop.db), marketplace);
        expect(
          credentialsOf(marketplace)
            .map(({ name }) => name)
            .filter(isSet)
            .sort(),
        ).toEqual(names.toSorted());
        seen.add(expected);
      }
    }
    const all = ['connected', 'file', 'paused', ...(marketplace === 'michaels' ? ['read_only'] : [])];
    expect([...seen].sort()).toEqual(all);
    await shop.db.execute(sql`DELETE FROM connector_credentials`);
  },
);
