import { sql } from 'drizzle-orm';
import { setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import type { AuditedCall } from './audited-calls.ts';
import { importDesk } from './import-file.ts';
import { addListing } from './seed.ts';
import { settingsPage } from './settings-app.ts';

const API_KEY = 'vq-canary-0123456789';
const CERT = 'cert-canary-0123456789';
const TOKEN = 'v^1.1#canary';
const CSV = { 'content-type': 'text/csv' };

const GOOD = 'sku,name,productCost,weight\nFILE-1,Plate,4.00,8\n';
const BAD = 'sku,name,productCost,weight\nFILE-2,Plate,four,8\n';

const PASSPHRASE = 'canary battery staple';
const A_SCHEDULE = {
  isOn: true,
  timeOfDay: '02:30',
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
  encrypts: true,
  destination: 's3',
  folder: '/mnt/backups',
  version: 1,
};
const SECRET_KEY = 'canary/secret+key/0123456789';
const A_BUCKET = {
  endpoint: 'https://s3.example.com',
  region: 'eu-central-1',
  name: 'backups',
  prefix: 'shop',
  isPathStyle: true,
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
};

const SETTINGS: readonly AuditedCall[] = [
  {
    route: 'PUT /api/settings',
    writes: ['settings.saved'],
    ready: async ({ get, secrets }) => {
      secrets.add(API_KEY);
      const { secretProblem: _, ...settings } = (await get('/api/settings')).json();
      return { payload: { ...settings, veeqo: { enabled: true, apiKey: API_KEY } } };
    },
  },
  {
    route: 'POST /api/connections/:marketplace/sync',
    writes: ['marketplace.read_requested'],
    ready: async ({ app, cookie, secrets }) => {
      secrets.add(API_KEY);
      const page = settingsPage(app, cookie);
      await page.save(await page.withMarkets({ michaels: { enabled: true, apiKey: API_KEY } }));
      return { url: '/api/connections/michaels/sync' };
    },
  },
  {
    route: 'POST /api/connections/:marketplace/consent',
    writes: ['marketplace.consent_begun'],
    ready: async () => ({ url: '/api/connections/ebay/consent' }),
    keep: ({ known, secrets }, answer) => {
      const state = new URL(answer.json<{ address: string }>().address).searchParams.get('state') ?? '';
      secrets.add(state);
      known.set('consent', state);
    },
  },
  {
    route: 'POST /api/connections/:marketplace/consent/answer',
    writes: ['marketplace.consent_answered', 'marketplace.connected'],
    ready: async ({ know, secrets }) => {
      secrets.add(TOKEN);
      const query = new URLSearchParams({ state: know('consent'), code: 'v^1.1#code' });
      return {
        url: '/api/connections/ebay/consent/answer',
        payload: { address: `https://prices.example.com/connect/ebay?${query}` },
      };
    },
  },
  {
    route: 'POST /api/connections/ebay/migrations',
    writes: ['migration.asked'],
    ready: async ({ app, cookie, secrets }) => {
      const { db } = app;
      const payload = { itemIds: ['110000000009'], count: 1 };
      const known = await db.execute(sql`SELECT FROM listings WHERE sku = 'MUG-9'`);
      if (known.rows.length > 0) return { payload };
      for (const secret of [CERT, TOKEN]) secrets.add(secret);
      const page = settingsPage(app, cookie);
      const ebay = { enabled: true, appId: 'app-1', certId: CERT, ruName: 'Ann-Shop', refreshToken: TOKEN };
      await page.save(await page.withMarkets({ ebay }));
      const [marketplaceItemId] = payload.itemIds;
      const id = await addListing(db, 'MUG-9', { marketplace: 'ebay', marketplaceItemId });
      await db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, channel, is_active, seen_at)
        VALUES (${id}, '{}', 'trading', true, now())`);
      return { payload };
    },
  },
  { route: 'POST /api/veeqo/sync', writes: ['veeqo.synced'] },
  {
    route: 'PUT /api/repricing-limits',
    writes: ['guards.saved'],
    ready: async ({ get }) => ({
      payload: { ...(await get('/api/repricing-limits')).json(), maxStep: '12.00' },
    }),
  },
  {
    route: 'PUT /api/own-sellers',
    writes: ['own_sellers.saved'],
    ready: async () => ({
      payload: { marketplaces: [{ marketplace: 'walmart', names: ['Our Other Shop'] }] },
    }),
  },
  {
    route: 'PUT /api/backups',
    writes: ['backups.saved'],
    ready: async ({ secrets }) => {
      for (const secret of [PASSPHRASE, SECRET_KEY]) secrets.add(secret);
      const bucket = { ...A_BUCKET, secretAccessKey: SECRET_KEY };
      return { payload: { ...A_SCHEDULE, bucket, passphrase: PASSPHRASE } };
    },
  },
  {
    route: 'POST /api/backups/confirm-restore',
    writes: ['engine.restore_confirmed'],
    ready: async ({ app }) => {
      await setUnconfirmedRestore(app.db, app.deps.now());
      return {};
    },
  },
  { route: 'POST /api/backups/run', writes: ['backup.requested'] },
  {
    route: 'POST /api/books/close',
    writes: ['books.closed'],
    ready: async () => ({ payload: { day: '2020-01-01' } }),
  },
  {
    route: 'POST /api/books/reopen',
    writes: ['books.reopened'],
    ready: async () => ({ payload: { day: null } }),
  },
  { route: 'POST /api/setup/fees-checked', writes: ['fees.checked'] },
  { route: 'POST /api/setup/dismiss', writes: ['setup.dismissed'] },
];

const IMPORTS: readonly AuditedCall[] = [
  {
    // The check that begins at once.
    route: 'POST /api/imports',
    writes: ['import.uploaded'],
    isWrittenOver: true,
    ready: async ({ cookie }) => ({
      url: '/api/imports?kind=skus&name=skus.csv',
      over: { payload: GOOD, headers: { cookie, ...CSV } },
    }),
    keep: async ({ app, cookie, known }, answer) => {
      await importDesk(app, cookie).work();
      known.set('import', answer.json().id);
    },
  },
  {
    route: 'POST /api/imports/:id/run',
    writes: ['import.started'],
    ready: async ({ app, cookie, know }) => {
      const url = `/api/imports/${know('import')}`;
      const { checkId } = (await app.get(url, cookie)).json();
      return { url: `${url}/run`, payload: { checkId, allOrNothing: false } };
    },
    keep: async ({ app, known }) => {
      const { rows } = await app.db.execute<{ id: string }>(sql`SELECT max(id)::text AS id FROM jobs`);
      known.set('job', rows[0]?.id ?? '');
    },
  },
  {
    route: 'POST /api/jobs/:id/cancel',
    writes: ['job.cancelled'],
    ready: async ({ know }) => ({ url: `/api/jobs/${know('job')}/cancel` }),
  },
  {
    route: 'GET /api/jobs/:id/refusals.csv',
    writes: ['export.made'],
    ready: async ({ know }) => ({ url: `/api/jobs/${know('job')}/refusals.csv` }),
  },
  {
    route: 'GET /api/imports/:id/rejected.csv',
    writes: ['export.made'],
    ready: async ({ app, cookie, known }) => {
      const id = known.get('rejected') ?? (await importDesk(app, cookie).check('skus', BAD)).id;
      known.set('rejected', id);
      return { url: `/api/imports/${id}/rejected.csv` };
    },
  },
  {
    route: 'DELETE /api/imports/:id',
    writes: ['import.deleted'],
    ready: async ({ know }) => ({ url: `/api/imports/${know('rejected')}` }),
  },
];

const EXPORTS: readonly AuditedCall[] = [
  { route: 'GET /api/listings/export.csv', writes: ['export.made'] },
  { route: 'GET /api/history/export.csv', writes: ['export.made'] },
  { route: 'GET /api/sales/export.csv', writes: ['export.made'] },
  { route: 'GET /api/money-events/export.csv', writes: ['export.made'] },
  { route: 'GET /api/skus/export.csv', writes: ['export.made'] },
  { route: 'GET /api/bundles/export.csv', writes: ['export.made'] },
  { route: 'GET /api/audit/export.csv', writes: ['export.made'] },
  { route: 'GET /api/rules/export.csv', writes: ['export.made'] },
  {
    route: 'GET /api/coverage/skus.csv',
    writes: ['export.made'],
    ready: async () => ({ url: '/api/coverage/skus.csv?problem=no_weight' }),
  },
  {
    route: 'GET /api/runs/:id/items.csv',
    writes: ['export.made'],
    ready: async ({ app }) => {
      const { rows } = await app.db.execute<{ id: string }>(
        sql`SELECT max(id)::text AS id FROM repricing_runs`,
      );
      return { url: `/api/runs/${rows[0]?.id}/items.csv` };
    },
  },
  {
    route: 'GET /api/price-file/:marketplace.csv',
    writes: ['price_file.made'],
    ready: async () => ({ url: '/api/price-file/walmart.csv' }),
  },
  {
    route: 'POST /api/price-file/:marketplace/uploaded',
    writes: ['price_file.uploaded'],
    ready: async ({ app }) => {
      const { rows } = await app.db.execute<{ at: string }>(sql`SELECT max(made_at) AS at FROM price_files`);
      const upTo = new Date(rows[0]?.at ?? '').toISOString();
      return { url: '/api/price-file/walmart/uploaded', payload: { upTo } };
    },
  },
];

export const FILE_CALLS: readonly AuditedCall[] = [...SETTINGS, ...IMPORTS, ...EXPORTS];
