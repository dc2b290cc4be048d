import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf } from '#tests/support/read-back.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { insertAudit, insertAudits } from './audit.ts';

let database: RecycledDatabase;
beforeAll(async () => {
  database = await borrowDatabase();
});
afterAll(() => database.giveBack());

const MASK = '********';

test('values with the name of a secret are masked, at every depth', async () => {
  const { db } = database.open;
  await insertAudit(db, {
    action: 'settings.saved',
    before: { password: 'hush', marketplaces: { walmart: { clientId: 'me', clientSecret: 'hush' } } },
    after: {
      newPassword: 'hush',
      apiKey: 'hush',
      tokens: [{ setupToken: 'hush' }],
      certId: 'hush',
      otp: 123456,
    },
  });
  expect(await auditOf(db, 'settings.saved')).toEqual([
    {
      actor: null,
      before: { password: MASK, marketplaces: { walmart: { clientId: 'me', clientSecret: MASK } } },
      after: { newPassword: MASK, apiKey: MASK, tokens: [{ setupToken: MASK }], certId: MASK, otp: MASK },
    },
  ]);
});

test('whether a secret is set is visible, and names that only resemble one are not masked', async () => {
  const { db } = database.open;
  const after = {
    mustChangePassword: true,
    apiKey: '',
    twoFactorSecret: null,
    replacedSecrets: ['veeqoApiKey'],
    price: '12.99',
    version: 3,
    tokenless: 'yes',
  };
  await insertAudits(db, [{ action: 'user.password_reset', after }]);
  expect(await auditOf(db, 'user.password_reset')).toEqual([{ actor: null, before: null, after }]);
});
