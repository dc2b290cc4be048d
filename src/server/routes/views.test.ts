import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_VIEWS, type NewView, type View } from '#contract/views.ts';
import { insertUser } from '#db/queries/identity/users.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let admin: string;
let user: string;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  const account = { username: 'sam@example.com', email: 'sam@example.com', fullName: 'Sam Seller' };
  const password = await shop.deps.passwords.hash(PASSWORD);
  const rights = { role: 'user', approved: true, emailVerified: true } as const;
  await insertUser(shop.db, { ...account, ...rights, password, phoneNumber: '+1 555 0101' }, shop.deps.now());
  user = await shop.logIn('sam@example.com');
});
afterEach(() => shop.close());

const LAYOUT: NewView['layout'] = {
  order: ['sku', 'margin'],
  hidden: ['totalCost'],
  widths: { sku: 200 },
  density: 'compact',
};
const aView = (over: Partial<NewView> = {}): NewView => ({
  list: 'listings',
  name: 'Thin',
  query: { margin: 'below_5', sort: '-margin' },
  layout: LAYOUT,
  isShared: false,
  ...over,
});
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, cookie: string, payload?: object) =>
  shop.post(url, payload, { method, headers: { cookie } });
const create = async (cookie: string, over: Partial<NewView> = {}): Promise<string> => {
  const reply = await send('POST', '/api/views', cookie, aView(over));
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().id;
};
const views = async (cookie: string, list = 'listings'): Promise<View[]> =>
  (await shop.get(`/api/views?list=${list}`, cookie)).json().views;
const { list: _, ...CHANGE } = aView({ name: 'Thinner' });

describe('views', () => {
  test('a saved view is returned unchanged, only to its owner', async () => {
    const id = await create(user);
    expect(await views(user)).toEqual([{ id, ...aView(), isMine: true, owner: 'Sam Seller', version: 1 }]);
    expect(await views(user, 'history')).toEqual([]);
    expect(await views(admin)).toEqual([]);
  });

  test("a shared one is for all users; one's own come first, each group by name", async () => {
    const shared = await create(admin, { name: 'Needs review', isShared: true });
    await create(user, { name: 'zebra' });
    await create(user, { name: 'Apples' });
    expect((await views(user)).map(({ name, isMine }) => [name, isMine])).toEqual([
      ['Apples', true],
      ['zebra', true],
      ['Needs review', false],
    ]);
    const change = { ...CHANGE, version: 1 };
    const refused = await send('PUT', `/api/views/${shared}`, user, change);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toBe(
      'Only Ann Arbor and administrators can change this view. Save it as your own.',
    );
    expect((await send('DELETE', `/api/views/${shared}`, user)).statusCode).toBe(403);
  });

  test('only administrators share', async () => {
    const reply = await send('POST', '/api/views', user, aView({ isShared: true }));
    expect(reply.statusCode).toBe(403);
    const own = await create(user);
    const change = { ...CHANGE, isShared: true, version: 1 };
    expect((await send('PUT', `/api/views/${own}`, user, change)).statusCode).toBe(403);
    // No user sees the unshared views of others, not even administrators.
    expect((await send('PUT', `/api/views/${own}`, admin, change)).statusCode).toBe(404);
  });

  test('a save replaces the view, and an outdated one is refused', async () => {
    const id = await create(user);
    expect((await send('PUT', `/api/views/${id}`, user, { ...CHANGE, version: 1 })).statusCode).toBe(200);
    expect(await views(user)).toMatchObject([{ name: 'Thinner', version: 2 }]);
    const stale = await send('PUT', `/api/views/${id}`, user, { ...CHANGE, name: 'Other', version: 1 });
    expect(stale.statusCode).toBe(409);
    expect(await views(user)).toMatchObject([{ name: 'Thinner', version: 2 }]);
  });

  test('a user has one view of a name; another list and another user may use it too', async () => {
    await create(user);
    const taken = await send('POST', '/api/views', user, aView({ name: ' THIN ' }));
    expect(taken.statusCode).toBe(409);
    expect(taken.json().fields.name).toBe('A view named "THIN" already exists. Choose another name.');
    await create(user, { list: 'history' });
    await create(admin);
    const other = await create(user, { name: 'Other' });
    const renamed = await send('PUT', `/api/views/${other}`, user, { ...CHANGE, name: 'thin', version: 1 });
    expect(renamed.statusCode).toBe(409);
  });

  test('a deleted one is removed, and Undo restores it unless its name is in use', async () => {
    const id = await create(user);
    const restore = () => send('POST', `/api/views/${id}/restore`, user);
    expect((await send('DELETE', `/api/views/${id}`, user)).statusCode).toBe(200);
    expect((await send('DELETE', `/api/views/${id}`, user)).statusCode).toBe(200);
    expect(await views(user)).toEqual([]);
    expect((await send('PUT', `/api/views/${id}`, user, { ...CHANGE, version: 1 })).statusCode).toBe(409);
    expect((await restore()).statusCode).toBe(200);
    expect(await views(user)).toMatchObject([{ id, name: 'Thin' }]);
    await send('DELETE', `/api/views/${id}`, user);
    await create(user);
    expect((await restore()).statusCode).toBe(409);
    expect((await send('DELETE', '/api/views/999', user)).statusCode).toBe(404);
  });

  test('the number of views is limited', async () => {
    for (let count = 0; count < MAX_VIEWS; count++) await create(user, { name: `View ${count}` });
    const reply = await send('POST', '/api/views', user, aView({ name: 'One more' }));
    expect(reply.statusCode).toBe(409);
    expect(reply.json().message).toContain(`up to ${MAX_VIEWS} views`);
  });

  test('changes of shared views are in the audit log, of personal ones are not', async () => {
    await create(user);
    const id = await create(admin, { isShared: true });
    await send('PUT', `/api/views/${id}`, admin, { ...CHANGE, isShared: false, version: 1 });
    await send('DELETE', `/api/views/${id}`, admin);
    const { rows } = await shop.db.execute(
      "SELECT action, target_id FROM audit_log WHERE action LIKE 'view.%' ORDER BY id",
    );
    expect(rows).toEqual([
      { action: 'view.created', target_id: id },
      { action: 'view.edited', target_id: id },
    ]);
  });

  test('an invalid name, list, query or layout is refused', async () => {
    for (const [what, over] of [
      ['an empty name', { name: '  ' }],
      ['a name without end', { name: 'x'.repeat(81) }],
      ['an unknown list', { list: 'users' as never }],
      ['a parameter that is none', { query: { 'a b': '1' } }],
      ['a density that is none', { layout: { ...LAYOUT, density: 'huge' as never } }],
    ] as const) {
      expect((await send('POST', '/api/views', user, aView(over))).statusCode, what).toBe(400);
    }
  });
});
