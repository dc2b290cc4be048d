import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { REMOVE_DELAY, toast } from '#web/lib/use-toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  act(() => vi.advanceTimersByTime(5_000 + REMOVE_DELAY));
  vi.useRealTimers();
});

const shown = (title: string): boolean => screen.queryByText(title, { selector: 'li *' }) !== null;

test('a second toast takes the place of the first', () => {
  render(<Toaster />);
  act(() => toast('First', 'one'));
  expect(shown('First')).toBe(true);
  act(() => toast('Second', 'two'));
  expect([shown('First'), shown('Second')]).toEqual([false, true]);
});

test('a toast stays 5,000 ms', () => {
  render(<Toaster />);
  act(() => toast('Saved', 'It is.'));
  act(() => vi.advanceTimersByTime(4_999));
  expect(shown('Saved')).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(shown('Saved')).toBe(false);
});
