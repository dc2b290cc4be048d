import { focusManager, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

test.each([true, false])(
  'a query (answered: %s) is sent once, whatever mounts or refocuses',
  async (isFine) => {
    const client = createQueryClient();
    client.mount();
    let requested = 0;
    const ask = async () => {
      requested += 1;
      if (!isFine) throw new Error('away');
      return requested;
    };
    const look = () => new QueryObserver(client, { queryKey: ['x'], queryFn: ask });
    const leave = look().subscribe(() => undefined);
    await client.fetchQuery({ queryKey: ['x'], queryFn: ask }).catch(() => undefined);
    expect(requested).toBe(1);
    if (isFine) look().subscribe(() => undefined)();
    for (const isThere of [false, true]) {
      focusManager.setFocused(isThere);
      onlineManager.setOnline(isThere);
    }
    await Promise.resolve();
    expect(requested).toBe(1);
    leave();
    client.unmount();
    client.clear();
  },
);

test('a change that fails is tried once', async () => {
  let tried = 0;
  const change = new MutationObserver(createQueryClient(), {
    mutationFn: async () => {
      tried += 1;
      throw new Error('away');
    },
  });
  await expect(change.mutate()).rejects.toThrow('away');
  expect(tried).toBe(1);
});

test('data never goes stale automatically, is loaded once and not again on focus, and there is no polling', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  expect(queries?.refetchInterval).toBeUndefined();
  expect(mutations).toMatchObject({ retry: false });
});
