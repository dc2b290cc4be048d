import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listDataKeys } from '#db/queries/identity/data-keys.ts';
import { readSealed, SEALED_COLUMNS } from '#db/queries/identity/sealed-columns.ts';
import { requireReadableSecrets } from '#src/bootstrap/master-keys.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findLostSecrets, forgetLostSecrets, isAnyLost } from '#usecases/identity/users/lost-secrets.ts';
import { dataKeysOf } from './data-keys.ts';
import { keyInFolder } from './key-folder.ts';
import { rotateKeys } from './rotate-keys.ts';
import { keyIdOf, openSecret, sealSecret, secretKeyOf } from './secret-box.ts';
import { configuredKey, type SecretKeys } from './secret-keys.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
});
afterEach(() => shop.close());

const ring = (master: SecretKeys): SecretKeys => dataKeysOf(shop.db, master, shop.deps.now);
const rotate = (master: Parameters<typeof rotateKeys>[0]['master'], onSealed?: () => void) =>
  rotateKeys({ db: shop.db, master, now: shop.deps.now }, onSealed);

/** Writes a secret into every sealed column; its text is its place. */
async function fill(keys: SecretKeys): Promise<void> {
  const key = await keys.forWriting();
  const { rows } = await shop.db.execute<{ id: string }>(sql`SELECT id FROM users`);
  for (const column of SEALED_COLUMNS) {
    const of = {
      app_settings: ['default'],
      users: [rows[0]?.id ?? ''],
      connector_credentials: ['etsy', 'refresh'],
      integration_tokens: ['etsy', 'access'],
      consents: ['0'.repeat(64)],
      backup_settings: ['default'],
      identity_provider: ['default'],
      webhook_receivers: ['receiver'],
    };
    const names = of[column.table as keyof typeof of];
    const record = sealSecret(key, column.placeOf(names), column.placeOf(names));
    if (column.table === 'connector_credentials') {
      await shop.db.execute(
        sql`INSERT INTO connector_credentials (holder, name, value) VALUES ('etsy', 'refresh', ${record})`,
      );
    } else if (column.table === 'integration_tokens') {
      await shop.db.execute(sql`
        INSERT INTO integration_tokens (marketplace, kind, value_encrypted, obtained_at, updated_at)
        VALUES ('etsy', 'access', ${record}, now(), now())`);
    } else if (column.table === 'consents') {
      await shop.db.execute(sql`
        INSERT INTO consents (state_hash, marketplace, session_id, verifier_encrypted, return_to, expires_at)
        SELECT ${names[0]}, 'etsy', id, ${record}, 'https://prices.example.com/connect/etsy', now() FROM sessions LIMIT 1`);
    } else if (column.table === 'identity_provider') {
      await shop.db.execute(sql`
        INSERT INTO identity_provider (is_on, issuer, client_id, client_secret, label, scopes, groups_claim, admin_groups,
          user_groups, links_accounts, creates_accounts, second_factor, factor_acrs, direct_login, updated_at)
        VALUES (false, 'https://login.example.com', 'pricewright', ${record}, 'Shop login', '{openid}', 'groups', '{}', '{}',
          false, false, 'reported', '{}', 'all', now())
        ON CONFLICT (id) DO UPDATE SET client_secret = excluded.client_secret`);
    } else if (column.table === 'webhook_receivers') {
      await shop.db.execute(sql`
        INSERT INTO webhook_receivers (id, name, address, events, created_at, created_by, ${sql.identifier(column.column)})
        VALUES ('receiver', 'One', 'https://hooks.example.com/', ARRAY['price.changed'], now(), 'Ann', ${record})
        ON CONFLICT (id) DO UPDATE SET ${sql.identifier(column.column)} = ${record}`);
    } else {
      await shop.db.execute(
        sql`UPDATE ${sql.identifier(column.table)} SET ${sql.identifier(column.column)} = ${record}`,
      );
    }
  }
}

/** How many secrets a server with these keys reads; throws at the first that it cannot. */
async function readAll(keys: SecretKeys): Promise<number> {
  const key = await keys.current();
  const all = await readSealed(shop.db);
  for (const { column, keys: names, record } of all) {
    if (key === null) throw new Error('no key');
    expect(openSecret(key, column.placeOf(names), record)).toBe(column.placeOf(names));
  }
  return all.length;
}

describe('the list of sealed columns', () => {
  /**
   * Names like those of secrets that are not in this list: hashes, and the data keys, which the rotation handles
   * separately.
   */
  const NO_CIPHERTEXT = [
    // The name of an API token.
    'audit_log.token',
    'api_tokens.token_hash',
    'data_keys.wrapped',
    'known_browsers.token_hash',
    'one_time_tokens.token_hash',
    'provider_logins.token_hash',
    'sessions.token_hash',
    'users.email_verification_token',
    'users.password',
  ];

  test('has every text column of the database whose name suggests a secret', async () => {
    const { rows } = await shop.db.execute<{ name: string }>(sql`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'text'
        AND (column_name ~ 'secret|token|passw|credential|api_key|cert|keystring|wrapped|cipher|sealed|crypted'
          OR table_name ~ 'credential|secret' AND column_name = 'value')`);
    const known = new Set([
      ...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`),
      ...NO_CIPHERTEXT,
    ]);
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  test('encrypts each value for its own row and column: swapped, none can be decrypted', async () => {
    const keys = ring(configuredKey(OLD));
    await fill(keys);
    await shop.db.execute(sql`
      UPDATE app_settings SET walmart_client_secret = ebay_cert_id, ebay_cert_id = walmart_client_secret`);
    await expect(readAll(keys)).rejects.toThrow(/altered in the database/);
  });
});

describe('a key rotation', () => {
  test('encrypts every secret with a new key, and the old one decrypts nothing', async () => {
    await fill(ring(configuredKey(OLD)));
    const before = await readSealed(shop.db);
    const both = configuredKey(NEW, [OLD]);
    expect(await rotate(both)).toEqual({ resealed: SEALED_COLUMNS.length, unreadable: 0 });
    expect(await readAll(ring(configuredKey(NEW)))).toBe(SEALED_COLUMNS.length);
    await expect(ring(configuredKey(OLD)).current()).rejects.toThrow(/another secret key/);
    const after = await readSealed(shop.db);
    expect(new Set(after.map(({ record }) => keyIdOf(record))).size).toBe(1);
    for (const [at, { record }] of after.entries())
      expect(keyIdOf(record)).not.toBe(keyIdOf(before[at]?.record ?? ''));
    expect(await auditOf(shop.db, 'keys.rotated')).toHaveLength(1);
  });

  test('converts secrets from before there were data keys', async () => {
    await fill(configuredKey(OLD));
    expect(await readAll(ring(configuredKey(OLD)))).toBe(SEALED_COLUMNS.length);
    await rotate(configuredKey(NEW, [OLD]));
    expect(await readAll(ring(configuredKey(NEW)))).toBe(SEALED_COLUMNS.length);
  });

  test.each([0, 1, 5, SEALED_COLUMNS.length - 1])(
    'interrupted after %i secrets leaves everything readable with both keys, and the next one finishes it',
    async (most) => {
      await fill(configuredKey(OLD));
      const both = configuredKey(NEW, [OLD]);
      let done = 0;
      const stop = (): void => {
        if (done === most) throw new Error('killed');
        done += 1;
      };
      await expect(rotate(both, stop)).rejects.toThrow('killed');
      expect(await readAll(ring(both))).toBe(SEALED_COLUMNS.length);
      await rotate(both);
      expect(await readAll(ring(configuredKey(NEW)))).toBe(SEALED_COLUMNS.length);
    },
  );

  test('keeps the data key of a concurrent save until the next rotation, and no longer', async () => {
    await fill(ring(configuredKey(OLD)));
    const [first] = await listDataKeys(shop.db);
    await rotate(configuredKey(OLD));
    expect((await listDataKeys(shop.db)).map(({ id }) => id)).toContain(first?.id);
    await rotate(configuredKey(OLD));
    const left = (await listDataKeys(shop.db)).map(({ id }) => id);
    expect(left).not.toContain(first?.id);
    expect(left).toHaveLength(2);
  });

  test('keeps a damaged secret as it is and reports it', async () => {
    await fill(ring(configuredKey(OLD)));
    await shop.db.execute(
      sql`UPDATE app_settings SET veeqo_api_key = overlay(veeqo_api_key placing 'AAAA' from 40)`,
    );
    expect(await rotate(configuredKey(OLD))).toEqual({ resealed: SEALED_COLUMNS.length - 1, unreadable: 1 });
  });
});

describe('a key file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newScratchFolder('rotate');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

  test('is replaced while servers run, and the old one is deleted at the end', async () => {
    const server = ring(keyInFolder(folder));
    await fill(server);
    const before = text('secret.key');
    await rotate(keyInFolder(folder), () => expect(existsSync(join(folder, 'secret.key.old'))).toBe(true));
    expect(text('secret.key')).not.toBe(before);
    expect(existsSync(join(folder, 'secret.key.old'))).toBe(false);
    expect(existsSync(join(folder, 'secret.key.next'))).toBe(false);
    expect(await readAll(server)).toBe(SEALED_COLUMNS.length);
  });

  test.each(['next', 'putNextInForce', 'forgetOlder'] as const)(
    'a rotation killed at "%s" leaves everything readable, and the next one finishes it',
    async (step) => {
      await fill(ring(keyInFolder(folder)));
      const dying = {
        ...keyInFolder(folder),
        [step]: async () => {
          throw new Error('killed');
        },
      };
      await expect(rotate(dying)).rejects.toThrow('killed');
      expect(await readAll(ring(keyInFolder(folder)))).toBe(SEALED_COLUMNS.length);
      await rotate(keyInFolder(folder));
      expect(await readAll(ring(keyInFolder(folder)))).toBe(SEALED_COLUMNS.length);
      expect(existsSync(join(folder, 'secret.key.old'))).toBe(false);
    },
  );

  test('a rotation killed between the two file names is finished by the next one', async () => {
    await fill(ring(keyInFolder(folder)));
    const half = {
      ...keyInFolder(folder),
      putNextInForce: async () => {
        throw new Error('killed');
      },
    };
    await expect(rotate(half)).rejects.toThrow('killed');
    const coming = text('secret.key.next');
    await rotate(keyInFolder(folder));
    expect(text('secret.key')).toBe(coming);
  });
});

describe('a missing key', () => {
  const config = (bytes: Buffer | null, dataDir = '/nowhere') => ({
    secretKey: bytes,
    oldSecretKeys: [],
    dataDir,
  });

  test('stops the start with instructions, except where nothing is stored', async () => {
    await requireReadableSecrets(shop.db, config(NEW));
    await fill(ring(configuredKey(OLD)));
    await requireReadableSecrets(shop.db, config(OLD));
    const refused = requireReadableSecrets(shop.db, config(NEW));
    await expect(refused).rejects.toThrow(
      new RegExp(
        `not available \\(${secretKeyOf(OLD).id}\\).*PRICEWRIGHT_SECRET_KEY.*secret.key in /nowhere.*keys forget --yes.*enter them again`,
      ),
    );
    await expect(requireReadableSecrets(shop.db, config(null))).rejects.toThrow(/secret.key in \/nowhere/);
  });

  test('among the older ones is not missing', async () => {
    await fill(ring(configuredKey(OLD)));
    await requireReadableSecrets(shop.db, { ...config(NEW), oldSecretKeys: [OLD] });
  });

  test('is forgotten with what it encrypted: the server starts, second factors are off, the rest is kept', async () => {
    await fill(ring(configuredKey(OLD)));
    await shop.db.execute(sql`UPDATE users SET two_factor_enabled = true`);
    await shop.db.execute(sql`UPDATE app_settings SET etsy_keystring = NULL, walmart_client_id = 'stays'`);
    const master = configuredKey(NEW);
    const lost = await forgetLostSecrets(shop.db, master, shop.deps.now());
    expect(lost.records).toHaveLength(SEALED_COLUMNS.length - 1);
    expect(await readSealed(shop.db)).toEqual([]);
    const { rows } = await shop.db.execute(sql`
      SELECT two_factor_enabled, two_factor_secret, (SELECT walmart_client_id FROM app_settings) AS id,
        (SELECT count(*)::int FROM sessions) AS sessions FROM users`);
    expect(rows).toEqual([{ two_factor_enabled: false, two_factor_secret: null, id: 'stays', sessions: 0 }]);
    await requireReadableSecrets(shop.db, config(NEW));
    expect(await auditOf(shop.db, 'keys.forgotten')).toHaveLength(1);
    // Every session ended with it.
    await shop.logIn('boss@example.com');
    await fill(ring(master));
    expect(await readAll(ring(master))).toBe(SEALED_COLUMNS.length);
  });

  test('forgetting deletes nothing that can be read', async () => {
    await fill(ring(configuredKey(OLD)));
    expect(isAnyLost(await forgetLostSecrets(shop.db, configuredKey(OLD), shop.deps.now()))).toBe(false);
    expect(await readAll(ring(configuredKey(OLD)))).toBe(SEALED_COLUMNS.length);
    expect(await auditOf(shop.db, 'keys.forgotten')).toEqual([]);
  });

  test('of a single record is the only one named', async () => {
    await fill(ring(configuredKey(OLD)));
    const foreign = sealSecret(secretKeyOf(randomBytes(32)), 'app_settings/default/veeqoApiKey', 'x');
    await shop.db.execute(sql`UPDATE app_settings SET veeqo_api_key = ${foreign}`);
    expect(await findLostSecrets(shop.db, configuredKey(OLD))).toMatchObject({
      records: [{ record: foreign }],
      dataKeys: [],
      missing: [keyIdOf(foreign)],
    });
  });
});
