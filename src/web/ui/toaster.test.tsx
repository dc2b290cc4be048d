import { act, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, REMOVE_DELAY, toast, useToasts } from '#web/lib/use-toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  act(() => vi.advanceTimersByTime(5_000 + REMOVE_DELAY));
  vi.useRealTimers();
});

const shown = (title: string): boolean => screen.queryByText(title, { selector: 'li *' }) !== null;

test('a second toast replaces the first', () => {
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

test('one with an action stays 10,000 ms', () => {
  render(<Toaster />);
  act(() => toast('Deleted', 'It was.', 'neutral', { label: 'Undo', run: () => undefined }));
  act(() => vi.advanceTimersByTime(9_999));
  expect(shown('Deleted')).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(shown('Deleted')).toBe(false);
});

test('it waits while it has the focus', () => {
  render(<Toaster />);
  act(() => toast('Saved', 'It is.'));
  act(() => screen.getByRole('button', { name: 'Close' }).focus());
  act(() => vi.advanceTimersByTime(60_000));
  expect(shown('Saved')).toBe(true);
  act(() => screen.getByRole('button', { name: 'Close' }).blur());
});

test('a dismissed toast is removed after 1,000,000 ms', () => {
  act(() => toast('Saved', 'It is.'));
  const remembered = () => renderHook(useToasts).result.current;
  const id = remembered()[0]?.id ?? 0;
  act(() => dismissToast(id));
  expect(remembered()[0]?.open).toBe(false);
  act(() => vi.advanceTimersByTime(999_999));
  expect(remembered()).toHaveLength(1);
  act(() => vi.advanceTimersByTime(1));
  expect(remembered()).toEqual([]);
});
