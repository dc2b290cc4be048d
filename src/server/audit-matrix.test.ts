import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeclaredRoute } from '#server/access.ts';
import {
  AUDITED_CALLS,
  type AuditedCall,
  make,
  openScene,
  readEverything,
  type Scene,
  transactionNow,
  transactionsSince,
  withoutAudits,
} from '#tests/support/audited-calls.ts';
import { asMany } from '#tests/support/breadth.ts';
import { callThatLosesItsSession } from '#tests/support/held-calls.ts';

const READS = 'It works something out and answers; nothing is stored.';
const EVENT = 'It makes a sync due sooner; no user of this server did anything.';

const LEAVES = 'A browser goes to the identity provider; what it brings back has its row.';

/** Calls that write no row, and the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  'POST /api/connections/:marketplace/check':
    'It asks the marketplace whether it answers; what it said last is shown until the keys change.',
  'POST /api/backups/test': 'It writes and deletes a small object in the bucket; nothing is stored here.',
  'POST /api/bundles/preview': READS,
  'POST /api/openid/login': LEAVES,
  'POST /api/openid/step-up': LEAVES,
  'POST /api/openid/test': 'It asks the provider what it says about itself; nothing is stored.',
  'POST /api/incoming/:marketplace': EVENT,
  'POST /api/incoming/ebay/account-deletion':
    'eBay sends thousands a day, about users whose names are stored nowhere',
  'POST /api/webhooks/:marketplace': EVENT,
  'POST /api/fees/impact': READS,
  'POST /api/listings/apply-preview': READS,
  'POST /api/listings/edit-impact': READS,
  'POST /api/listings/limits-preview': READS,
  'POST /api/rules/impact': READS,
  'POST /api/rules/explain': READS,
  'POST /api/rules/preview': READS,
  'POST /api/rules/scope': READS,
  'POST /api/skus/:id/impact': READS,
  'POST /api/listings/:id/costs/impact': READS,
  'POST /api/shipping-tiers/impact': READS,
  'POST /api/skus/uses': READS,
  'POST /api/veeqo/check': READS,
  'POST /api/alerts/seen': 'Only stores up to when a user has seen the alerts.',
  'PUT /api/imports/:id/mapping': 'The columns that were chosen stand in the row of the import that follows.',
};

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.app.close());

const isRouteOf =
  ({ route }: AuditedCall) =>
  ({ method, path }: DeclaredRoute): boolean =>
    `${method} ${path}` === route;

/** Every call that changes something, and every file download. */
function isAudited(method: string, path: string): boolean {
  if (!['GET', 'HEAD'].includes(method)) return true;
  return method === 'GET' && (path.endsWith('.csv') || path === '/api/verify-email/:token');
}

test('every call that changes something or downloads data is tested for its rows, or has a reason for none', () => {
  const wanted = scene.app.app.declaredRoutes
    .filter(({ method, path }) => isAudited(method, path))
    .map(({ method, path }) => `${method} ${path}`);
  const known = [...AUDITED_CALLS.map(({ route }) => route), ...Object.keys(EXEMPT)];
  expect(known.toSorted()).toEqual([...new Set(wanted)].toSorted());
});

// Each uses the state that the earlier ones left.
for (const [place, call] of AUDITED_CALLS.entries()) {
  // The permit that refuses it is one for all routes: every sixth of them, and all with --all.
  if (place % asMany(6, 1) === 0)
    test(`${call.route} changes nothing once its session ended`, async () => {
      const { access } = scene.app.app.declaredRoutes.find(isRouteOf(call)) ?? { access: 'public' };
      if (access === 'public') return;
      const request = { url: call.route.split(' ')[1] ?? '', ...(await call.ready?.(scene)) };
      const before = await readEverything(scene);
      const cookie = String(request.over?.headers?.cookie ?? scene.cookie);
      const token = cookie.split('=')[1] ?? '';
      const held = await callThatLosesItsSession(scene.app.db, token, () => make(scene, call, request));
      expect(held.isTaken).toBe(true);
      expect([held.answer.statusCode, held.answer.json().code]).toEqual([401, 'not_signed_in']);
      expect(await readEverything(scene)).toEqual(before);
    });

  test.each([[call.route, call] as const])(
    '%s changes nothing without its row, and writes it with who, where from and which request',
    async (_route, call) => {
      const ready = async () => ({ url: call.route.split(' ')[1] ?? '', ...(await call.ready?.(scene)) });
      const request = await ready();
      const before = await readEverything(scene);
      const refused = await withoutAudits(scene, () => make(scene, call, request));
      expect(refused.statusCode, refused.body).toBe(500);
      expect(await readEverything(scene)).toEqual(before);
      const again = await ready();
      const since = await transactionNow(scene);
      const answer = await make(scene, call, again);
      expect(answer.statusCode, answer.body).toBeLessThan(300);
      const rows = await rowsOf(String(answer.headers['x-request-id']));
      expect(rows.map(({ action }) => action)).toEqual(call.writes);
      for (const row of rows)
        expect(row).toEqual({ action: row.action, actor: expect.any(String), address: '127.0.0.1' });
      // One transaction wrote both, so that neither can be there without the other.
      const { told, changed } = await transactionsSince(scene, since);
      if (changed.size > 0 && call.isWrittenOver === undefined) {
        expect([...told].filter((transaction) => changed.has(transaction))).not.toEqual([]);
      }
      await call.keep?.(scene, answer);
    },
  );
}

test('no row has a password, key or token that was sent or created', async () => {
  const { rows } = await scene.app.db.execute<{ text: string }>(
    sql`SELECT string_agg(a::text, ' ') AS text FROM audit_log a`,
  );
  expect(scene.secrets.size).toBeGreaterThan(5);
  for (const secret of scene.secrets) expect(rows[0]?.text).not.toContain(secret);
});

async function rowsOf(requestId: string): Promise<{ action: string; actor: string; address: string }[]> {
  const { rows } = await scene.app.db.execute<{ action: string; actor: string; address: string }>(
    sql`SELECT action, actor, address FROM audit_log WHERE request_id = ${requestId} ORDER BY id`,
  );
  return rows;
}
