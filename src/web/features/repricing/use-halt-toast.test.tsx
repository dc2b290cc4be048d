import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { EngineStatus } from '#contract/engine.ts';
import { aStatus } from '#tests/support/engine-screen.ts';
import { aUser } from '#tests/support/fake-api.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { dismissToasts, useToasts } from '#web/lib/use-toast.ts';
import { useHaltToast } from './use-halt-toast.ts';

afterEach(() => act(dismissToasts));

const halted = (over: Partial<EngineStatus> = {}) =>
  aStatus({ isHalted: true, haltedBy: 'Ann Arbor', haltedAt: '2026-11-21T10:00:00.000Z', ...over });

/** The toasts on Sam's page as repricing goes through these states. */
function reported(...states: (EngineStatus | undefined)[]): string[] {
  const client = createQueryClient();
  client.setQueryData(sessionQuery.queryKey, aUser({ fullName: 'Sam Seller' }));
  const { rerender } = renderHook(({ status }) => useHaltToast(status), {
    initialProps: { status: states[0] },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  for (const status of states.slice(1)) rerender({ status });
  const { result } = renderHook(() => useToasts());
  return result.current
    .filter(({ open }) => open)
    .map(({ title, description }) => `${title}: ${description}`);
}

test('a halt by another user is shown, with the reason', () => {
  expect(reported(undefined, aStatus(), halted({ haltReason: 'Wrong costs' }))).toEqual([
    'Repricing halted by Ann Arbor: Wrong costs',
  ]);
});

test('a halt by the circuit breaker is shown without a reason', () => {
  expect(reported(aStatus(), halted({ haltedBy: 'circuit breaker', haltReason: null }))).toEqual([
    'Repricing halted by circuit breaker: ' +
      'No new prices are sent until an administrator resumes repricing. Prices already on their way may still go live.',
  ]);
});

test.each([
  ['one that was there when the page opened', [undefined, halted()]],
  ['one by the user of this page', [aStatus(), halted({ haltedBy: 'Sam Seller' })]],
  ['one with notifications off', [aStatus(), halted({ notifications: false })]],
])('%s is not shown', (_, states) => {
  expect(reported(...states)).toEqual([]);
});
