import { expect, test } from 'vitest';
import type { SessionUser } from '#contract/session.ts';
import { createQueryClient } from './query-client.ts';
import { clearSession, followLogout, reportLogout, SESSION_KEY, startSession } from './session.ts';

const ANN: SessionUser = {
  id: 'u-1',
  username: 'ann@example.com',
  email: 'ann@example.com',
  fullName: 'Ann Arbor',
  phoneNumber: '1',
  role: 'user',
  approved: true,
  emailVerified: true,
  twoFactorEnabled: false,
  isProviderOnly: false,
};

/** The data loaded by a logged-in page. */
function loaded() {
  const client = createQueryClient();
  client.setQueryData(SESSION_KEY, ANN);
  for (const key of ['settings', 'users', 'listings']) client.setQueryData([key], `the ${key} of Ann`);
  return client;
}
const kept = (client: ReturnType<typeof loaded>) =>
  client
    .getQueryCache()
    .getAll()
    .flatMap(({ state }) => state.data ?? []);

test('a logout clears all loaded data', () => {
  const client = loaded();
  expect(kept(client)).toHaveLength(4);
  clearSession(client);
  expect(kept(client)).toEqual([]);
});

test('the next user sees no data of the previous one', () => {
  const client = loaded();
  const carl = { ...ANN, id: 'u-2', username: 'carl@example.com' };
  startSession(client, carl);
  expect(kept(client)).toEqual([carl]);
});

test('a logout in one tab empties the others', async () => {
  const client = loaded();
  const stop = followLogout(client);
  reportLogout();
  await expect.poll(() => kept(client)).toEqual([]);
  stop();
});
