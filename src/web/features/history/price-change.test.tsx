import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HistoryEntry } from '#contract/history.ts';
import { PriceChange } from './price-change.tsx';

test.each([
  ['19.00', '20.50', 'lucide-arrow-up', 'text-success-text', '$1.50'],
  ['20.50', '19.00', 'lucide-arrow-down', 'text-danger-text', '$1.50'],
])('from %s to %s: its arrow, its color and the dollars', (oldPrice, newPrice, arrow, color, dollars) => {
  const entry = { oldPrice, newPrice } as HistoryEntry;
  const { container } = render(<PriceChange {...entry} />);
  expect(container.querySelectorAll('svg')).toHaveLength(1);
  expect(container.querySelector('svg')?.classList.contains(arrow)).toBe(true);
  expect(container.firstElementChild?.classList.contains(color)).toBe(true);
  expect(container.textContent).toContain(dollars);
});
