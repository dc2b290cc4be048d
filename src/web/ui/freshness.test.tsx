import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Freshness } from './freshness.tsx';
import { TooltipProvider } from './tooltip.tsx';

const AT = Date.UTC(2026, 10, 21, 14, 5);

test('it shows the load time, and reloads by button and by R', async () => {
  const onRefresh = vi.fn();
  render(
    <TooltipProvider>
      <Freshness updatedAt={AT} refreshing={false} onRefresh={onRefresh} />
    </TooltipProvider>,
  );
  expect(screen.getByText('Updated 14:05')).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await user.keyboard('r');
  expect(onRefresh).toHaveBeenCalledTimes(2);
});

test('while it loads, another press sends no request', async () => {
  const onRefresh = vi.fn();
  render(
    <TooltipProvider>
      <Freshness updatedAt={0} refreshing onRefresh={onRefresh} />
    </TooltipProvider>,
  );
  expect(screen.queryByText(/^Updated/)).toBeNull();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Refreshing...' }));
  await user.keyboard('r');
  expect(onRefresh).not.toHaveBeenCalled();
});
