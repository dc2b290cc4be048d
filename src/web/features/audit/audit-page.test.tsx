import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { AuditPage, AuditRow } from '#contract/audit.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
// Preloaded: its first import is slow on a busy machine.
import './audit-page.tsx';

const ROLE: AuditRow = {
  id: '12',
  at: '2026-01-15T12:00:00.000Z',
  actor: 'boss',
  actorId: 'u-1',
  token: null,
  action: 'user.role_changed',
  group: 'accounts',
  sentence: 'boss changed the role of ann.',
  target: { kind: 'user', id: 'u-2', name: 'ann' },
  before: { role: 'user', approved: true },
  after: { role: 'admin', approved: true, endedSessions: 2 },
  address: '203.0.113.5',
  requestId: 'req-42',
};
const EXPORT: AuditRow = {
  id: '11',
  at: '2026-01-15T11:00:00.000Z',
  actor: 'eve',
  actorId: 'u-3',
  token: null,
  action: 'export.made',
  group: 'files',
  sentence: 'eve exported listings.csv.',
  target: { kind: 'export', id: 'listings.csv', name: null },
  before: null,
  after: {},
  address: null,
  requestId: null,
};
const LIST = 'GET /api/audit?size=50';
const CURSOR = '2026-01-15T11:00:00.000Z_11';
const AT_CURSOR = encodeURIComponent(CURSOR);

const page = (rows: AuditRow[], over: Partial<AuditPage> = {}) => ({
  body: { rows, older: null, newer: null, ...over },
});

function show(answers: Answers = {}, address = '/audit', role: 'admin' | 'user' = 'admin') {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role }) },
    'GET /api/audit/people': { body: { people: ['boss', 'eve'] } },
    [LIST]: page([ROLE, EXPORT]),
    ...answers,
  });
  return { sent, router: renderApp(address), user: userEvent.setup({ delay: null }) };
}
/** By text: queries by role and name are slow on a busy machine. */
async function openSheet(): Promise<HTMLElement> {
  await screen.findByText('Before and after');
  return screen.getByRole('complementary', { name: ROLE.sentence });
}
const calls = (sent: { call: string }[]): string[] => sent.map(({ call }) => call);

describe('the audit log', () => {
  test('shows each row as a sentence with group and address, and is under Administration', async () => {
    show();
    await screen.findByText(ROLE.sentence);
    const row = screen.getByRole('row', { name: /changed the role of ann/ });
    expect(within(row).getByText('Accounts')).toBeTruthy();
    expect(within(row).getByText('203.0.113.5')).toBeTruthy();
    const other = screen.getByRole('row', { name: /exported listings.csv/ });
    expect(within(other).getByText('not available')).toBeTruthy();
    expect(screen.getByRole('link', { name: /Audit log/ }).getAttribute('href')).toBe('/audit');
  });

  test('others see that they have no access, and nothing is loaded', async () => {
    const { sent } = show({}, '/audit', 'user');
    await screen.findByText('Access Denied');
    expect(calls(sent).some((call) => call.includes('/api/audit'))).toBe(false);
    expect(screen.queryByRole('link', { name: /Audit log/ })).toBeNull();
  });

  test('a row opens with the changes, before and after; unchanged values are separate', async () => {
    const { user, router } = show();
    await user.click(await screen.findByText(ROLE.sentence));
    const sheet = await openSheet();
    const values = within(sheet).getByRole('table', { name: 'Values before and after' });
    const cells = within(values).getByRole('row', { name: /^Role/ });
    expect(
      within(cells)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['user', 'admin']);
    expect(within(values).getByRole('row', { name: /Ended sessions/ }).textContent).toContain('2');
    expect(within(values).queryByRole('row', { name: /^Approved/ })).toBeNull();
    expect(within(sheet).getByText('1 value stayed the same')).toBeTruthy();
    expect(within(sheet).getByRole('link', { name: 'user ann' }).getAttribute('href')).toBe('/users');
    expect(router.state.location.search).toEqual({ row: '12' });
  });

  test('a review of the next run names its scope, its occasion and the marketplaces', async () => {
    const review: AuditRow = {
      ...ROLE,
      id: '13',
      action: 'run.reviewed',
      group: 'engine',
      sentence: 'boss reviewed the changes of all live marketplaces in the next run.',
      target: { kind: 'marketplaces', id: null, name: null },
      before: null,
      after: { scope: 'store', when: 'going live', live: ['walmart', 'ebay'], changes: 12, plan: 'f00d' },
    };
    show({ [LIST]: page([review]) }, '/audit?row=13');
    const sheet = await screen.findByRole('complementary', { name: review.sentence });
    expect(within(sheet).getByText('all live marketplaces')).toBeTruthy();
    const rows = within(sheet).getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(
      [
        ['Scope', 'store'],
        ['When', 'going live'],
        ['Live', 'Walmart, eBay'],
        ['Changes', '12'],
        ['Plan', 'f00d'],
      ].map(([name, after]) => [name, expect.stringMatching('not available'), after]),
    );
  });

  test('the request id is copied by a button', async () => {
    const writeText = vi.fn(async () => undefined);
    const { user } = show({}, '/audit?row=12');
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    await user.click(await screen.findByRole('button', { name: 'Copy the request ID' }));
    expect(writeText).toHaveBeenCalledWith('req-42');
  });

  test('all events of one account are one press from its row, with a link of their own', async () => {
    const about = 'GET /api/audit?kind=user&target=u-2&size=50';
    const { user, sent, router } = show({ [about]: page([ROLE]) }, '/audit?row=12');
    await user.click(await screen.findByRole('button', { name: 'Only this' }));
    await waitFor(() => expect(calls(sent)).toContain(about));
    expect(router.state.location.search).toEqual({ kind: 'user', target: 'u-2', row: '12' });
  });

  test('filters are in the address, narrow the list, and the export uses the same', async () => {
    const by = 'GET /api/audit?who=eve&size=50';
    const both = 'GET /api/audit?who=eve&group=files&size=50';
    const { user, sent, router } = show({ [by]: page([EXPORT]), [both]: page([EXPORT]) });
    await screen.findByRole('option', { name: 'eve' });
    await user.selectOptions(screen.getByLabelText('Who'), 'eve');
    await waitFor(() => expect(calls(sent)).toContain(by));
    await user.selectOptions(screen.getByLabelText('Kind'), 'Imports and exports');
    await waitFor(() => expect(calls(sent)).toContain(both));
    expect(router.state.location.search).toEqual({ who: 'eve', group: 'files' });
    expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/api/audit/export.csv?who=eve&group=files',
    );
    await user.click(await screen.findByRole('button', { name: 'Remove filter By eve' }));
    expect(router.state.location.search).toEqual({ group: 'files' });
  });

  test('a day starts and ends at local midnight', async () => {
    const from = new Date(2026, 0, 15).toISOString();
    const to = new Date(2026, 0, 16).toISOString();
    const text = new URLSearchParams({ from, to, size: '50' }).toString();
    const { sent } = show({ [`GET /api/audit?${text}`]: page([]) }, '/audit?from=2026-01-15&to=2026-01-15');
    await screen.findByText(/No rows match/);
    expect(calls(sent)).toContain(`GET /api/audit?${text}`);
  });

  test('older rows have an address; another filter starts at the newest again', async () => {
    const older = `GET /api/audit?before=${AT_CURSOR}&size=50`;
    const rules = 'GET /api/audit?group=rules&size=50';
    const { user, router } = show({
      [LIST]: page([ROLE], { older: CURSOR }),
      [older]: page([EXPORT], { newer: CURSOR }),
      [rules]: page([]),
    });
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Newer rows' })).disabled).toBe(
      true,
    );
    await user.click(screen.getByRole('button', { name: 'Older rows' }));
    await screen.findByText(EXPORT.sentence);
    expect(router.state.location.search).toEqual({ before: CURSOR });
    expect(screen.getByRole('button', { name: 'Newest rows' })).toBeTruthy();
    await user.selectOptions(screen.getByLabelText('Kind'), 'Rules');
    expect(router.state.location.search).toEqual({ group: 'rules' });
  });

  test('by keyboard: J goes to a row, O opens it, Escape returns to it', async () => {
    const { user } = show();
    await screen.findByText(ROLE.sentence);
    await user.keyboard('j');
    await user.keyboard('o');
    const sheet = await openSheet();
    expect(sheet.contains(document.activeElement)).toBe(true);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: ROLE.sentence })).toBeNull());
    expect(document.activeElement?.getAttribute('data-row-id')).toBe('12');
  });

  test('an empty log says what will appear here; a failure can be retried', async () => {
    show({ [LIST]: page([]) });
    expect(await screen.findByText(/appears here/)).toBeTruthy();
  });

  test('a failure is shown and can be retried', async () => {
    let tries = 0;
    const { user } = show({
      [LIST]: () => {
        tries += 1;
        return tries === 1 ? refusal(400, 'bad_request', 'No.') : page([ROLE]);
      },
    });
    await screen.findByText('Failed to load the audit log');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText(ROLE.sentence);
  });
});
