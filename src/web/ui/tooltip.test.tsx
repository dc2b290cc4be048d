import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Tip, TooltipProvider } from './tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function draw(): { one: HTMLElement; other: HTMLElement } {
  render(
    <TooltipProvider>
      <Tip text="First">
        <button type="button">One</button>
      </Tip>
      <Tip text="Second">
        <button type="button">Other</button>
      </Tip>
    </TooltipProvider>,
  );
  return { one: screen.getByText('One'), other: screen.getByText('Other') };
}

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const shown = () => screen.queryByRole('tooltip')?.textContent ?? null;

test('a tooltip opens after 700 ms', () => {
  const { one } = draw();
  fireEvent.pointerMove(one, { pointerType: 'mouse' });
  wait(699);
  expect(shown()).toBeNull();
  wait(1);
  expect(shown()).toBe('First');
});

test.each([
  [299, 'Second'],
  [300, null],
])('%i ms after one has closed, the next opens at once: %s', (pause, text) => {
  const { one, other } = draw();
  fireEvent.pointerMove(one, { pointerType: 'mouse' });
  wait(700);
  fireEvent.pointerLeave(one, { pointerType: 'mouse' });
  fireEvent.keyDown(document, { key: 'Escape' });
  wait(pause);
  fireEvent.pointerMove(other, { pointerType: 'mouse' });
  wait(0);
  expect(shown()).toBe(text);
});
