import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, aUser, refusal, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { setViewport } from '#tests/support/web-setup.ts';
import { readCookie, writeCookie } from '#web/lib/cookies.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { dismissToasts, useToasts } from '#web/lib/use-toast.ts';
import { useClearCache } from './account-actions.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

async function openDashboard(answers: Answers = {}) {
  serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/stats': { body: null },
    ...answers,
  });
  renderApp('/');
  await screen.findByRole('heading', { name: 'Dashboard' });
  return userEvent.setup();
}

const sidebarState = () => document.querySelector('aside')?.dataset.state;

test('the sidebar shows the logged-in user, the admin role, and the release', async () => {
  await openDashboard();
  const sidebar = within(screen.getByRole('complementary'));
  expect(sidebar.getByText('sam@example.com')).toBeTruthy();
  expect(sidebar.getByText('Admin')).toBeTruthy();
  expect(sidebar.getByText('v1.3.0')).toBeTruthy();
});

test('Ctrl+B and Cmd+B toggle the sidebar and a cookie stores it', async () => {
  const user = await openDashboard();
  expect(sidebarState()).toBe('expanded');
  await user.keyboard('{Control>}b{/Control}');
  expect(sidebarState()).toBe('collapsed');
  expect(readCookie(document, 'sidebar_state')).toBe('false');
  await user.keyboard('{Meta>}b{/Meta}');
  expect(readCookie(document, 'sidebar_state')).toBe('true');
});

test('the first frame has the width of the cookie', async () => {
  writeCookie(document, 'sidebar_state', 'false', 60);
  await openDashboard();
  expect(sidebarState()).toBe('collapsed');
});

test('a narrow window starts collapsed; a phone has a sheet that Escape closes', async () => {
  setViewport(1000);
  await openDashboard();
  expect(sidebarState()).toBe('collapsed');
});

test.each([
  [767, 0],
  [768, 1],
])('at %i px there are %i columns for the sidebar', async (width, columns) => {
  setViewport(width);
  await openDashboard();
  expect(screen.queryAllByRole('complementary')).toHaveLength(columns);
});

test('on a phone the theme is switched in the sheet', async () => {
  setViewport(390);
  const user = await openDashboard();
  expect(screen.queryByRole('button', { name: 'Switch to dark theme' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Toggle sidebar' }));
  await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }));
  expect(localStorage.getItem('theme')).toBe('dark');
});

test('Clear Cache & Reload shows a toast, clears loaded data, keeps choices, and reloads after 500 ms', async () => {
  localStorage.setItem('theme', 'dark');
  const reload = vi.fn();
  const client = createQueryClient();
  client.setQueryData(['listings'], 'loaded');
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useClearCache(reload), { wrapper });
  vi.useFakeTimers();
  result.current();
  expect(renderHook(useToasts).result.current[0]).toMatchObject({
    title: 'Cache cleared',
    description: 'Reloading application...',
  });
  expect(client.getQueryData(['listings'])).toBeUndefined();
  expect({ ...localStorage }).toEqual({ theme: 'dark' });
  vi.advanceTimersByTime(499);
  expect(reload).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reload).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

test('the title of the document names the page', async () => {
  await openDashboard();
  expect(document.title).toBe('Dashboard | Pricewright');
});

test('on a phone the toggle opens a sheet', async () => {
  setViewport(390);
  const user = await openDashboard();
  expect(document.querySelector('aside')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Toggle sidebar' }));
  const sheet = await screen.findByRole('dialog', { name: 'Sidebar' });
  expect(within(sheet).getByRole('link', { name: 'Dashboard' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('Logout clears the user', async () => {
  const user = await openDashboard({ 'POST /api/logout': { body: undefined } });
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByLabelText('Email address');
});

test('a Logout that fails shows the error and stays', async () => {
  const user = await openDashboard({ 'POST /api/logout': refusal(503, 'unavailable', 'Shutting down.') });
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByText('Logout failed');
  expect(screen.getByText('Shutting down.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Dashboard' })).toBeTruthy();
});

test('the theme toggle changes the page and the stored choice', async () => {
  const user = await openDashboard();
  await user.click(screen.getByRole('button', { name: 'Switch to dark theme' }));
  expect(document.documentElement.classList.contains('dark')).toBe(true);
  expect(localStorage.getItem('theme')).toBe('dark');
  await user.click(screen.getByRole('button', { name: 'Switch to light theme' }));
  expect(localStorage.getItem('theme')).toBe('light');
});

test('a logged-out visitor sees no shell at an unknown address', async () => {
  serveApi({ 'GET /api/user': SIGNED_OUT });
  renderApp('/nowhere');
  await waitFor(() => expect(screen.getByRole('link', { name: 'Go to Login' })).toBeTruthy());
  expect(screen.queryByRole('complementary')).toBeNull();
});
