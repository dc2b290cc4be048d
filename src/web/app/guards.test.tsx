import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { LayoutDashboard, Users } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, aUser, refusal, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import type { Screen } from './navigation.ts';

afterEach(() => vi.unstubAllGlobals());

const SCREENS: readonly Screen[] = [
  {
    path: '/',
    label: 'Home',
    icon: LayoutDashboard,
    access: 'user',
    component: () => <h1 tabIndex={-1}>Home</h1>,
  },
  {
    path: '/users',
    label: 'Users',
    icon: Users,
    access: 'admin',
    component: () => <h1 tabIndex={-1}>All users</h1>,
  },
];

test('a spinner is shown while the session loads', async () => {
  let answer: (value: Answer) => void = () => undefined;
  serveApi({
    'GET /api/user': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  renderApp('/', SCREENS);
  await screen.findByRole('status', { name: '' });
  expect(screen.getByText('Loading your session')).toBeTruthy();
  answer({ body: aUser() });
  await screen.findByRole('heading', { name: 'Home' });
});

test('a logged-out user is sent to the login page, and returns to the requested page', async () => {
  serveApi({ 'GET /api/user': SIGNED_OUT, 'POST /api/login': { body: aUser({ role: 'admin' }) } });
  const router = renderApp('/users?q=662E41', SCREENS);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Email address'), 'sam@example.com');
  expect(router.state.location.pathname).toBe('/auth');
  await user.type(screen.getByLabelText('Password'), 'right{Enter}');
  await screen.findByRole('heading', { name: 'All users' });
  expect(router.state.location.href).toBe('/users?q=662E41');
});

test('a logged-in user does not see the login page again', async () => {
  serveApi({ 'GET /api/user': { body: aUser() } });
  const router = renderApp('/auth', SCREENS);
  await screen.findByRole('heading', { name: 'Home' });
  expect(router.state.location.pathname).toBe('/');
});

test('a user at an admin address sees Access Denied and not the screen', async () => {
  serveApi({ 'GET /api/user': { body: aUser() } });
  renderApp('/users', SCREENS);
  await screen.findByRole('heading', { name: 'Access Denied' });
  expect(screen.getByText('You need administrator privileges to access this page.')).toBeTruthy();
  expect(screen.queryByText('All users')).toBeNull();
  expect(screen.queryByText('Administration')).toBeNull();
});

test('an admin gets the screen, with its link under Administration', async () => {
  serveApi({ 'GET /api/user': { body: aUser({ role: 'admin' }) } });
  renderApp('/users', SCREENS);
  await screen.findByRole('heading', { name: 'All users' });
  const group = within(screen.getByRole('list', { name: 'Administration' }));
  expect(group.getAllByRole('link').map((link) => link.textContent)).toEqual(['Users']);
  expect(document.title).toBe('Users | Pricewright');
});

test('every user has the screens of the daily work, in this order', async () => {
  serveApi({ 'GET /api/user': { body: aUser() } });
  renderApp('/jobs');
  const first = within(await screen.findByRole('navigation', { name: 'Main' })).getAllByRole('list')[0];
  expect(
    first &&
      within(first)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
  ).toEqual(
    'Dashboard,Listings,SKUs,Bundles,Rules,Shipping Tiers,History,Profit,Runs,Imports,Jobs'.split(','),
  );
});

test('an unknown address is a 404 with links to other pages', async () => {
  serveApi({ 'GET /api/user': { body: aUser() } });
  renderApp('/nowhere', SCREENS);
  await screen.findByRole('heading', { name: '404: Page not found' });
  expect((await screen.findByRole('link', { name: 'Go to Home' })).getAttribute('href')).toBe('/');
  await waitFor(() => expect(document.title).toBe('Page not found | Pricewright'));
});

test('the 404 page searches the listings', async () => {
  serveApi({ 'GET /api/user': { body: aUser() } });
  const router = renderApp('/nowhere', SCREENS);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Search listings by SKU or title'), ' 00123 {Enter}');
  await waitFor(() => expect(router.state.location.href).toBe('/listings?q=00123'));
});

test('a session that cannot be loaded is not a sign-out and can be retried', async () => {
  let isUp = false;
  serveApi({
    'GET /api/user': () => (isUp ? { body: aUser() } : refusal(503, 'unavailable', 'The database is away.')),
  });
  renderApp('/', SCREENS);
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.');
  isUp = true;
  await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Home' });
});

test('a session that ends while a screen loads asks for the password over the page', async () => {
  serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/stats': SIGNED_OUT });
  const router = renderApp('/');
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  expect(router.state.location.pathname).toBe('/');
});
