import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HeldToken, HeldTokens, TokenVault } from '#connectors/token-vault.ts';
import { dropTokens } from '#db/queries/marketplaces/connections/integrations.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { databaseVault } from './database-vault.ts';

let shop: TestApp;
/** Milliseconds that each wait was for. */
let waits: number[];
/** What happens during a wait. */
let duringWait: (turn: number) => Promise<void> | void;
beforeEach(async () => {
  shop = await createTestApp();
  waits = [];
  duringWait = () => undefined;
});
afterEach(() => shop.close());

const wait = async (milliseconds: number): Promise<void> => {
  waits.push(milliseconds);
  await duringWait(waits.length);
};
const open = (epoch = 0, secrets = shop.deps.secrets): TokenVault =>
  databaseVault({ ...shop.deps, secrets, wait }, 'etsy', epoch);
const token = (value: string): HeldToken => ({ value, obtainedAt: shop.deps.now(), expiresAt: null });
const pair = (number: number): HeldTokens => ({
  access: token(`access-${number}`),
  refresh: token(`refresh-${number}`),
});
const valuesOf = (tokens: HeldTokens): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(tokens).map(([kind, held]) => [kind, held?.value]));
const held = async (): Promise<Record<string, string | undefined>> => valuesOf(await open().read());

/** A fetch that the test completes. */
function gate() {
  let answer: (tokens: HeldTokens) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let startedAt: () => void = () => undefined;
  const isUnderWay = new Promise<void>((resolve) => {
    startedAt = resolve;
  });
  const outcome = new Promise<HeldTokens>((resolve, reject) => {
    answer = resolve;
    fail = reject;
  });
  const fetch = (): Promise<HeldTokens> => {
    startedAt();
    return outcome;
  };
  return { fetch, isUnderWay, answer, fail };
}

const never = (): Promise<HeldTokens> => Promise.reject(new Error('fetched although it need not be'));

describe('a vault', () => {
  test('stores what was fetched, encrypted, and keeps other kinds', async () => {
    expect(await held()).toEqual({});
    await open().renew('access', null, async () => pair(1));
    await open().renew('access', token('access-1'), async () => ({ access: token('access-2') }));
    expect(await held()).toEqual({ access: 'access-2', refresh: 'refresh-1' });
    const { rows } = await shop.db.execute<{ text: string }>(
      sql`SELECT string_agg(t::text, ' ') AS text FROM integration_tokens t`,
    );
    expect(rows[0]?.text).toContain('v1.');
    expect(rows[0]?.text).not.toMatch(/access-|refresh-/);
  });

  test('fetches nothing when the token that is to be replaced is replaced already', async () => {
    await open().renew('access', null, async () => pair(2));
    expect(valuesOf(await open().renew('access', token('access-1'), never))).toEqual(valuesOf(pair(2)));
  });

  test('of one marketplace knows nothing of another', async () => {
    await open().renew('access', null, async () => pair(1));
    const other = databaseVault({ ...shop.deps, wait }, 'ebay', 0);
    expect(await other.read()).toEqual({});
  });

  test('treats tokens that cannot be decrypted as missing, and fetches', async () => {
    await open().renew('access', null, async () => pair(1));
    const elsewhere = open(0, configuredKey(Buffer.alloc(32, 9)));
    expect(await elsewhere.read()).toEqual({});
    expect(valuesOf(await elsewhere.renew('access', null, async () => pair(2)))).toEqual(valuesOf(pair(2)));
  });

  test('fetches nothing when the result could not be encrypted', async () => {
    const refuse = async (): Promise<never> => {
      throw new SecretError('secret.key holds no key.');
    };
    const vault = open(0, { current: refuse, forWriting: refuse });
    await expect(vault.renew('access', null, never)).rejects.toMatchObject({
      fault: 'key',
      message: 'secret.key holds no key.',
    });
  });
});

describe('two at once', () => {
  test('one fetches, the other waits and gets the same', async () => {
    const first = gate();
    const one = open().renew('access', null, first.fetch);
    await first.isUnderWay;
    duringWait = async (turn) => {
      if (turn !== 3) return;
      first.answer(pair(1));
      await one;
    };
    const two = open().renew('access', null, never);
    expect(valuesOf(await two)).toEqual(valuesOf(pair(1)));
    expect(valuesOf(await one)).toEqual(valuesOf(pair(1)));
    expect(waits).toHaveLength(3);
  });

  test('no transaction is open while a process fetches', async () => {
    const first = gate();
    const one = open().renew('access', null, first.fetch);
    await first.isUnderWay;
    const { rows } = await shop.db.execute<{ open: number }>(sql`
      SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`);
    expect(rows[0]?.open).toBe(0);
    first.answer(pair(1));
    await one;
  });

  test('the lease of a failed fetch is released immediately', async () => {
    await expect(
      open().renew('access', null, () => Promise.reject(new ConnectorError('service', 'Etsy failed.'))),
    ).rejects.toThrow('Etsy failed.');
    expect(valuesOf(await open().renew('access', null, async () => pair(1)))).toEqual(valuesOf(pair(1)));
    expect(waits).toEqual([]);
  });

  test('no process waits forever', async () => {
    const stuck = gate();
    const one = open().renew('access', null, stuck.fetch);
    await stuck.isUnderWay;
    await expect(open().renew('access', null, never)).rejects.toMatchObject({ fault: 'busy' });
    expect(waits.reduce((sum, each) => sum + each, 0)).toBe(30_000);
    stuck.answer(pair(1));
    await one;
  });
});

describe('an expired lease', () => {
  const LONGER_THAN_A_TURN = 200_000;

  test('of a dead process is acquired by the next', async () => {
    const dead = gate();
    void open().renew('access', null, dead.fetch);
    await dead.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    expect(valuesOf(await open().renew('access', null, async () => pair(2)))).toEqual(valuesOf(pair(2)));
  });

  test('counts as expired too when the clock was set back by hours', async () => {
    const dead = gate();
    void open().renew('access', null, dead.fetch);
    await dead.isUnderWay;
    shop.advance(-7_200_000);
    expect(valuesOf(await open().renew('access', null, async () => pair(2)))).toEqual(valuesOf(pair(2)));
  });

  test('a late response of a process that slept does not replace a newer token, and the process gets the newer one', async () => {
    await open().renew('access', null, async () => pair(0));
    const slow = gate();
    const sleeper = open().renew('access', token('access-0'), slow.fetch);
    await slow.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    await open().renew('access', token('access-0'), async () => pair(2));
    slow.answer(pair(1));
    expect(valuesOf(await sleeper)).toEqual(valuesOf(pair(2)));
    expect(await held()).toEqual(valuesOf(pair(2)));
  });

  test('a late response is stored where the next one failed: it used the refresh token, and its own is the only valid one', async () => {
    await open().renew('access', null, async () => pair(0));
    const slow = gate();
    const sleeper = open().renew('access', token('access-0'), slow.fetch);
    await slow.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    const spent = new ConnectorError('key', 'The refresh token was used before.');
    await expect(open().renew('access', token('access-0'), () => Promise.reject(spent))).rejects.toBe(spent);
    slow.answer(pair(1));
    expect(valuesOf(await sleeper)).toEqual(valuesOf(pair(1)));
    expect(await held()).toEqual(valuesOf(pair(1)));
  });

  test("a process that fails because another used the refresh token continues with that one's token", async () => {
    await open().renew('access', null, async () => pair(0));
    const slow = gate();
    const next = gate();
    const sleeper = open().renew('access', token('access-0'), slow.fetch);
    await slow.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    const second = open().renew('access', token('access-0'), next.fetch);
    await next.isUnderWay;
    slow.answer(pair(1));
    await sleeper;
    next.fail(new ConnectorError('key', 'The refresh token was used before.'));
    expect(valuesOf(await second)).toEqual(valuesOf(pair(1)));
  });

  test('the late answer is kept where the next one fetched another kind', async () => {
    await open().renew('access', null, async () => pair(0));
    const slow = gate();
    const sleeper = open().renew('access', token('access-0'), slow.fetch);
    await slow.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    await open().renew('application', null, async () => ({ application: token('app-2') }));
    slow.answer(pair(1));
    expect(valuesOf(await sleeper)).toEqual({ ...valuesOf(pair(1)), application: 'app-2' });
  });

  test('where both were given tokens, those of the later turn stay, in whatever order they come', async () => {
    await open().renew('access', null, async () => pair(0));
    const [slow, next] = [gate(), gate()];
    const sleeper = open().renew('access', token('access-0'), slow.fetch);
    await slow.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    const second = open().renew('access', token('access-0'), next.fetch);
    await next.isUnderWay;
    slow.answer(pair(1));
    await sleeper;
    next.answer(pair(2));
    expect(valuesOf(await second)).toEqual(valuesOf(pair(2)));
    expect(await held()).toEqual(valuesOf(pair(2)));
  });

  test('the sleeper does not end the turn of the next', async () => {
    const slow = gate();
    const next = gate();
    const sleeper = open().renew('access', null, slow.fetch);
    await slow.isUnderWay;
    shop.advance(LONGER_THAN_A_TURN);
    const second = open().renew('access', null, next.fetch);
    await next.isUnderWay;
    slow.fail(new ConnectorError('time', 'Too late.'));
    await expect(sleeper).rejects.toThrow('Too late.');
    const { rows } = await shop.db.execute<{ busy: boolean }>(
      sql`SELECT lease_owner IS NOT NULL AS busy FROM integrations WHERE marketplace = 'etsy'`,
    );
    expect(rows).toEqual([{ busy: true }]);
    next.answer(pair(2));
    await second;
  });
});

describe('credentials that change', () => {
  const change = () => shop.db.transaction((tx) => dropTokens(tx, ['etsy']));

  test('drop the tokens, and a process with the old credentials gets none', async () => {
    await open().renew('access', null, async () => pair(1));
    await change();
    expect(await open(1).read()).toEqual({});
    await expect(open(0).read()).rejects.toMatchObject({ fault: 'late' });
    await expect(open(0).renew('access', token('access-1'), never)).rejects.toMatchObject({ fault: 'late' });
  });

  test('during a fetch: what was fetched with the old ones is not stored', async () => {
    const slow = gate();
    const old = open().renew('access', null, slow.fetch);
    await slow.isUnderWay;
    await change();
    slow.answer(pair(1));
    await expect(old).rejects.toThrow('The credentials of Etsy were changed.');
    expect(await open(1).read()).toEqual({});
    expect(valuesOf(await open(1).renew('access', null, async () => pair(2)))).toEqual(valuesOf(pair(2)));
    expect(waits).toEqual([]);
  });
});

test('a short database outage loses no token', async () => {
  let failures = 2;
  const db = Object.create(shop.db, {
    transaction: {
      value: (run: Parameters<typeof shop.db.transaction>[0]) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('connection lost')) : shop.db.transaction(run);
      },
    },
  });
  const vault = databaseVault({ ...shop.deps, db, wait }, 'etsy', 0);
  await vault.renew('access', null, async () => pair(1));
  expect(await held()).toEqual(valuesOf(pair(1)));
  expect(waits).toEqual([1_000, 5_000]);
});
