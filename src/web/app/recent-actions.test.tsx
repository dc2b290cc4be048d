import { renderHook, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Tags } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { ApiError } from '#web/lib/api.ts';
import { forgetActions, reportUndoable, useRecentActions } from '#web/lib/recent-actions-store.ts';
import type { Screen } from './navigation.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  forgetActions();
});

const undo = vi.fn(
  async (): Promise<{ title: string; text: string } | null> => ({
    title: 'Tiers restored',
    text: '1 tier is back.',
  }),
);

function Tiers(): React.JSX.Element {
  const remove = () => reportUndoable({ title: 'Tiers Deleted', text: '1 tier was deleted.', undo });
  return (
    <>
      <h1 tabIndex={-1}>Tiers</h1>
      <button type="button" onClick={remove}>
        Delete
      </button>
      <input aria-label="Weight" />
    </>
  );
}

const SCREENS: readonly Screen[] = [
  { path: '/', label: 'Home', icon: Tags, access: 'user', component: () => <h1 tabIndex={-1}>Home</h1> },
  { path: '/shipping-tiers', label: 'Tiers', icon: Tags, access: 'user', component: Tiers },
];

async function open() {
  serveApi({ 'GET /api/user': { body: aUser() }, 'POST /api/logout': { body: undefined } });
  renderApp('/shipping-tiers', SCREENS);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  return user;
}

test('the Undo of the toast is under "Recent actions" after another page was opened', async () => {
  const user = await open();
  await user.keyboard('gd');
  await screen.findByRole('heading', { level: 1, name: 'Home' });
  await user.click(screen.getByRole('button', { name: 'Recent actions' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Recent actions' }));
  await user.click(await panel.findByRole('button', { name: /^Undo: Tiers Deleted/ }));
  await screen.findByText('Tiers restored');
  expect(panel.getByText('Undone')).toBeTruthy();
});

test('an action undone with Ctrl+Z is no longer offered', async () => {
  const user = await open();
  undo.mockImplementationOnce(async () => null);
  await screen.findByText('1 tier was deleted.');
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(screen.queryByText('1 tier was deleted.')).toBeNull());
  expect(screen.getByText('Undone: Tiers Deleted')).toBeTruthy();
});

test('Ctrl+Z undoes the last action, and in a field the typing', async () => {
  undo.mockClear();
  const user = await open();
  await user.click(screen.getByLabelText('Weight'));
  await user.keyboard('{Control>}z{/Control}');
  expect(undo).not.toHaveBeenCalled();
  await user.click(document.body);
  await user.keyboard('{Control>}z{/Control}');
  await screen.findByText('Tiers restored');
});

test('an Undo that fails shows the reason there too', async () => {
  const { status = 0, body } = refusal(409, 'conflict', 'Another tier holds these weights now.');
  undo.mockRejectedValueOnce(new ApiError(status, '', JSON.stringify(body)));
  const user = await open();
  await user.keyboard('{Control>}z{/Control}');
  await screen.findByText('Undo failed');
  await user.click(screen.getByRole('button', { name: 'Recent actions' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Recent actions' }));
  await panel.findByText('Another tier holds these weights now.');
  expect(panel.getByRole('button', { name: /^Undo: Tiers Deleted/ }).textContent).toBe('Try again');
});

test('the actions of the previous user are not shown', async () => {
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByLabelText('Email address');
  expect(renderHook(useRecentActions).result.current).toEqual([]);
});
