import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NoAnswerError } from './api.ts';
import {
  forgetActions,
  reportUndoable,
  UNDO_WITHIN,
  undoAction,
  undoLatest,
  useRecentActions,
} from './recent-actions-store.ts';
import { StepUpDeclined } from './step-up.ts';
import { useToasts } from './use-toast.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  forgetActions();
  vi.useRealTimers();
});

const actions = () => renderHook(useRecentActions).result.current;
const lastToast = () => renderHook(useToasts).result.current[0];

test('an action is in the toast and in the list with its Undo, and is undone once', async () => {
  const undo = vi.fn(async () => ({ title: 'Undone', text: '2 rules are as before.' }));
  reportUndoable({ title: 'Rules Deleted', text: '2 rules deleted.', undo });
  expect(lastToast()).toMatchObject({ title: 'Rules Deleted', action: { label: 'Undo' } });
  lastToast()?.action?.run();
  lastToast()?.action?.run();
  await vi.runAllTimersAsync();
  expect(undo).toHaveBeenCalledTimes(1);
  expect(actions()).toMatchObject([{ title: 'Rules Deleted', state: 'undone' }]);
  expect(lastToast()).toMatchObject({ title: 'Undone', description: '2 rules are as before.' });
});

test('Ctrl+Z undoes the newest action that is not undone yet', async () => {
  const done: string[] = [];
  for (const title of ['first', 'second']) {
    const undo = async (): Promise<null> => {
      done.push(title);
      return null;
    };
    reportUndoable({ title, text: '', undo });
  }
  expect(undoLatest()).toBe(true);
  await vi.runAllTimersAsync();
  expect(undoLatest()).toBe(true);
  await vi.runAllTimersAsync();
  expect(undoLatest()).toBe(false);
  expect(done).toEqual(['second', 'first']);
});

test('a series grows as one action until it is undone', async () => {
  const undo = async (): Promise<null> => null;
  const reported = reportUndoable({ title: 'Costs saved', text: '1 cost.', undo });
  vi.advanceTimersByTime(UNDO_WITHIN);
  expect(reported.retell('2 costs.')).toBe(true);
  expect(actions()).toMatchObject([{ title: 'Costs saved', text: '2 costs.', at: Date.now() }]);
  expect(lastToast()).toMatchObject({ description: '2 costs.', action: { label: 'Undo' } });
  undoLatest();
  await vi.runAllTimersAsync();
  expect(reported.retell('3 costs.')).toBe(false);
  expect(actions()).toMatchObject([{ text: '2 costs.', state: 'undone' }]);
});

test('an Undo whose step-up was declined can be repeated later', async () => {
  const undo = vi.fn(async () => Promise.reject(new StepUpDeclined()));
  reportUndoable({ title: 'User approved', text: '', undo });
  undoLatest();
  await vi.runAllTimersAsync();
  expect(actions()).toMatchObject([{ state: 'done', why: null }]);
  expect(lastToast()).toMatchObject({ title: 'User approved' });
});

test('a failed one shows the reason and can be retried', async () => {
  let isUp = false;
  reportUndoable({
    title: 'Price changed',
    text: 'A-1',
    failed: 'Could not bring back the price of A-1',
    undo: async () => {
      if (!isUp) throw new NoAnswerError('no answer');
      return null;
    },
  });
  const [action] = actions();
  await undoAction(action?.id ?? 0);
  expect(actions()).toMatchObject([{ state: 'failed', why: expect.stringContaining('is not responding') }]);
  expect(lastToast()).toMatchObject({ title: 'Could not bring back the price of A-1', tone: 'destructive' });
  isUp = true;
  await undoAction(action?.id ?? 0);
  expect(actions()).toMatchObject([{ state: 'undone', why: null }]);
});

test('one older than an hour says so instead', async () => {
  const undo = vi.fn(async () => null);
  reportUndoable({ title: 'Tiers Deleted', text: '', undo });
  vi.advanceTimersByTime(UNDO_WITHIN + 1);
  await undoAction(actions()[0]?.id ?? 0);
  expect(undo).not.toHaveBeenCalled();
  expect(actions()).toMatchObject([
    { state: 'failed', why: expect.stringContaining('more than one hour old') },
  ]);
});
