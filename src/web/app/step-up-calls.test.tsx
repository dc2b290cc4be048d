import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aStatus, NO_MONEY, openEngine, PLAN, planLine, RUN } from '#tests/support/engine-screen.ts';
import { refusal } from '#tests/support/fake-api.ts';
import { openRules, ruleCard } from '#tests/support/fake-rules.tsx';
import { anImport, openImports } from '#tests/support/import-screen.ts';
import { bulkBar, closeNetwork, openListings, tick } from '#tests/support/listings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  closeNetwork();
  vi.unstubAllGlobals();
  dismissToasts();
});

const AGAIN = refusal(403, 'step_up_required', 'Once more.');
const question = async () => within(await screen.findByRole('dialog', { name: 'Enter your password' }));
const decline = async (user: ReturnType<typeof openEngine>['user']) => {
  await user.click((await question()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Enter your password' })).toBeNull());
};

test('going live asks for the password over the run preview, and applies exactly that preview', async () => {
  let isStepUpFresh = false;
  const { user, sent } = openEngine(
    aStatus(),
    {
      'GET /api/engine/plan?marketplaces=walmart': { body: planLine(PLAN) },
      'POST /api/engine/go-live': () => (isStepUpFresh ? { body: {} } : AGAIN),
      'POST /api/step-up': () => {
        isStepUpFresh = true;
        return { body: { message: 'x' } };
      },
    },
    'admin',
    '/?go-live=walmart',
  );
  const goLive = await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
  await user.click(goLive);
  await decline(user);
  // The run preview is still there, without an error.
  expect(screen.queryByText('Could not go live on Walmart')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' }));
  await user.type((await question()).getByLabelText('Password'), 'right{Enter}');
  await screen.findByText('Walmart is live');
  expect(sent.flatMap(({ call, body }) => (call === 'POST /api/engine/go-live' ? [body] : []))).toEqual(
    Array(3).fill({ marketplaces: ['walmart'], token: 'plan-1', fallen: 0 }),
  );
});

test('resuming with no live marketplace: declining keeps repricing halted, without an error', async () => {
  const { user } = openEngine(aStatus({ isHalted: true }), { 'POST /api/engine/resume': AGAIN }, 'admin');
  await user.click(await screen.findByRole('button', { name: 'Resume repricing' }));
  await decline(user);
  expect(screen.queryByText('Could not resume repricing')).toBeNull();
  expect(screen.getByText('Halted')).toBeTruthy();
});

test('undoing a long run: declining keeps the question, without an error', async () => {
  const run = {
    ...RUN,
    ...NO_MONEY,
    state: 'done',
    changed: 437,
    endedAt: '2026-11-21T10:02:05.000Z',
  } as const;
  const { user } = openEngine(
    aStatus(),
    {
      'GET /api/runs/9': { body: run },
      'GET /api/runs/9/items?page=1&size=50': { body: { rows: [], total: 0 } },
      'POST /api/runs/9/undo': AGAIN,
    },
    'user',
    '/runs/9',
  );
  await user.click(await screen.findByRole('button', { name: 'Undo run' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Undo run' }));
  await decline(user);
  expect(await screen.findByRole('alertdialog', { name: 'Undo run 9?' })).toBeTruthy();
  expect(screen.queryByText('Could not undo the run')).toBeNull();
});

test('a bulk action: declining keeps the selection, without an error', async () => {
  const { user } = openListings({ 'POST /api/listings/edit': AGAIN });
  await screen.findByLabelText('Select A-1');
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Disable repricing'));
  await decline(user);
  expect(bulkBar().getByText('Disable repricing')).toBeTruthy();
  expect(screen.queryByText(/^Not done/)).toBeNull();
});

test('enabling a rule: declining leaves it paused, without an error', async () => {
  const { user } = openRules('/rules', undefined, { 'POST /api/rules/active': AGAIN });
  const winter = () => ruleCard('Winter').then((card) => within(card).getByRole('switch'));
  await user.click(await winter());
  await decline(user);
  await waitFor(async () => expect((await winter()).getAttribute('aria-checked')).toBe('false'));
  expect(screen.queryByText('Could not change the rules')).toBeNull();
});

test('a file that changes many prices: declining shows no error, and it can be started again', async () => {
  const checked = anImport({ kind: 'listings', problems: [] });
  const { user, sent } = openImports('/imports/3', {
    'GET /api/imports/3': { body: checked },
    'GET /api/imports/3/lines?status=rejected': { body: { lines: [], problems: [] } },
    'POST /api/imports/3/run': AGAIN,
  });
  const start = () => screen.findByRole('button', { name: 'Import 6 listings' });
  await user.click(await start());
  await decline(user);
  expect(screen.queryByText('Nothing was saved')).toBeNull();
  await user.click(await start());
  await decline(user);
  expect(sent.filter(({ call }) => call === 'POST /api/imports/3/run')).toHaveLength(2);
});
