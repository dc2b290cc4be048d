import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MarginText } from './margin-text.tsx';

/** The colors of the specification: below 5 red, below 10 yellow, below 15 green, 15 and above emerald. */
test.each([
  ['-7031.45', 'danger', 'Critical'],
  ['4.99', 'danger', 'Critical'],
  ['5.00', 'warning', 'Thin'],
  ['9.99', 'warning', 'Thin'],
  ['10.00', 'success', 'Healthy'],
  ['14.99', 'success', 'Healthy'],
  ['15.00', 'strong', 'Strong'],
])('a margin of %s%% is %s', (percent, color, word) => {
  const { container } = render(<MarginText percent={percent} />);
  expect(container.firstElementChild?.classList.contains(`text-${color}-text`)).toBe(true);
  expect(container.querySelector('.sr-only')?.textContent).toBe(word);
});
