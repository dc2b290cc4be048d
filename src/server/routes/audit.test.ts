import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditPage } from '#contract/audit.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { instant } from '#domain/units.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';

const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;

let shop: TestApp;
let boss: string;
let eveId: string;

/** Sixty rows of Ann's, one a minute, and one each of other kinds. */
beforeAll(async () => {
  shop = await createTestApp();
  boss = await shop.admin();
  await shop.post('/api/register', aRegistration({ email: 'eve@example.com' }));
  eveId = (await approveUser(shop.deps, 'eve@example.com', false)).id;
  for (let minute = 1; minute <= 60; minute++)
    await write('listing.edited', minute, 'listing', String(minute));
  await write('rule.created', 61, 'rule', '7', { name: '=1+1 "quoted", with a comma' });
  await write('user.approved', 62, 'user', eveId);
});
afterAll(() => shop.close());

async function write(
  action: AuditAction,
  minute: number,
  targetKind: string,
  targetId: string,
  after: Record<string, unknown> = { minute },
): Promise<void> {
  const at = instant(NOON + minute * MINUTE);
  await insertAudit(shop.db, { action, at, actor: 'ann', targetKind, targetId, after, address: '::1' });
}

async function list(query = ''): Promise<AuditPage> {
  const answer = await shop.get(`/api/audit${query}`, boss);
  expect(answer.statusCode, answer.body).toBe(200);
  return AuditPage.parse(answer.json());
}
const actions = ({ rows }: AuditPage): string[] => rows.map(({ action }) => action);

describe('GET /api/audit', () => {
  test('returns the newest first, each as a sentence with the name of its target', async () => {
    const { rows } = await list('?who=ann&size=25');
    expect(rows.slice(0, 3)).toMatchObject([
      {
        sentence: 'ann approved eve@example.com.',
        group: 'accounts',
        target: { kind: 'user', id: eveId, name: 'eve@example.com' },
        at: new Date(NOON + 62 * MINUTE).toISOString(),
        address: '::1',
      },
      { sentence: 'ann created rule =1+1 "quoted", with a comma.', group: 'rules' },
      { sentence: 'ann changed listing 60.', after: { minute: 60 } },
    ]);
  });

  test('pages through all rows, each once, even while new ones are added', async () => {
    const seen: string[] = [];
    let page = await list('?who=ann&size=25');
    const top = page;
    for (;;) {
      seen.push(...page.rows.map(({ id }) => id));
      if (page.older === null) break;
      await write('listing.held', 100, 'listing', '1');
      page = await list(`?who=ann&size=25&before=${page.older}`);
    }
    expect(seen).toHaveLength(62);
    expect(new Set(seen).size).toBe(62);
    expect(seen).toEqual(seen.toSorted((one, other) => Number(other) - Number(one)));
    // And back: the new rows come before the first page.
    const second = await list(`?who=ann&size=25&before=${top.older}`);
    const back = await list(`?who=ann&size=25&after=${second.newer}`);
    expect(back.rows.map(({ id }) => id)).toEqual(top.rows.map(({ id }) => id));
    expect(back.newer).not.toBeNull();
    expect(actions(await list(`?who=ann&size=25&after=${back.newer}`))).toEqual([
      'listing.held',
      'listing.held',
    ]);
    expect((await list(`?who=ann&size=25&after=${back.newer}`)).newer).toBeNull();
  });

  test('is filtered by group, person, target and time, alone and combined', async () => {
    expect(actions(await list('?group=rules'))).toEqual(['rule.created']);
    expect(actions(await list('?group=accounts&who=ann'))).toEqual(['user.approved']);
    expect(actions(await list(`?kind=user&target=${eveId}`))).toEqual([
      'user.approved',
      'user.approved',
      'user.registered',
    ]);
    const from = new Date(NOON + 10 * MINUTE).toISOString();
    const to = new Date(NOON + 12 * MINUTE).toISOString();
    const between = await list(`?from=${from}&to=${to}&group=prices`);
    expect(between.rows.map(({ target }) => target?.id)).toEqual(['11', '10']);
    expect((await list('?who=unknown')).rows).toEqual([]);
  });

  test.each([
    ['a part of who acted', 'boss', 'boss@example.com'],
    ['an account that it was done to', 'Eve@', 'ann'],
  ])('finds %s', async (_what, text, actor) => {
    const { rows } = await list(`?q=${text}`);
    expect(rows.map((row) => row.actor)).toContain(actor);
    expect(rows.length).toBeLessThan(10);
  });

  test('treats pattern characters literally, and combines a search with a group', async () => {
    expect((await list('?q=%25')).rows).toEqual([]);
    expect(actions(await list('?q=ann&group=rules'))).toEqual(['rule.created']);
  });

  test.each([
    'before=1',
    'before=2026-01-15T12:00:00.000Z_x',
    'before=1199-43-56T13:35:07.610Z_1',
    'after=2026-02-30T00:00:00.000Z_1',
    'group=all',
    'size=7',
    'from=yesterday',
    'before=0000-02-29T21:22:57.000Z_1',
    'from=0000-02-29T21:22:57Z',
    'to=0000-12-31T00:00:00Z',
    'page=2',
  ])('refuses %s', async (query) => {
    expect((await shop.get(`/api/audit?${query}`, boss)).statusCode).toBe(400);
  });

  test('shows a row of another release by the name of its action', async () => {
    await shop.db.execute(
      sql`insert into audit_log (action, actor, target_kind, target_id) values ('moon.landed', 'neil', 'sku', 'x')`,
    );
    expect((await list('?who=neil')).rows).toMatchObject([
      { sentence: 'neil performed "moon.landed" on SKU x.', group: null },
    ]);
  });

  test('leaves no row of its own', async () => {
    const count = () => shop.db.execute(sql`select count(*) from audit_log`);
    const before = await count();
    await list();
    await shop.get('/api/audit/people', boss);
    expect((await count()).rows).toEqual(before.rows);
  });
});

test('GET /api/audit/people lists every user in the log once', async () => {
  const { people } = (await shop.get('/api/audit/people', boss)).json();
  expect(people).toEqual(['ann', 'boss@example.com', 'command line', 'eve@example.com', 'neil']);
});

test('is readable and exportable only for administrators', async () => {
  const eve = await shop.logIn('eve@example.com').catch(() => '');
  for (const path of ['', '/people', '/export.csv']) {
    expect((await shop.get(`/api/audit${path}`)).statusCode).toBe(401);
    if (eve !== '') expect((await shop.get(`/api/audit${path}`, eve)).statusCode).toBe(403);
  }
});

test('the export has exactly the filtered rows, contains no formula, and is logged', async () => {
  const file = await shop.get('/api/audit/export.csv?group=rules', boss);
  expect(file.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"');
  const lines = file.body.replace('\ufeff', '').trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('at,who,action,sentence,targetKind,targetId,target,before,after,address,requestId');
  expect(lines[1]).toContain('"\'=1+1 ""quoted"", with a comma"');
  expect(await auditOf(shop.db, 'export.made')).toEqual([
    { actor: 'boss@example.com', before: null, after: { group: 'rules' } },
  ]);
});
