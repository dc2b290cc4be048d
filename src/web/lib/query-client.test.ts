import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

test('data never goes stale, is asked for once and not again on focus, and there is no polling', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    ...{ staleTime: Number.POSITIVE_INFINITY, retry: false },
    ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  expect(queries?.refetchInterval).toBeUndefined();
  expect(mutations).toMatchObject({ retry: false });
});
