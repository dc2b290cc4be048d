import { afterEach, expect, test, vi } from 'vitest';
import { loadAnswered, noteAnswer } from './connection.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  noteAnswer();
});

/** The server answers, or nothing does. */
function serve(isUp: boolean): void {
  vi.stubGlobal('fetch', async () => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response('');
  });
}

const GONE = new TypeError('Failed to fetch dynamically imported module: /assets/rules-page.js');

test('a part of the page that cannot be loaded for want of an answer is loaded once there is one', async () => {
  serve(false);
  const load = vi
    .fn(async () => 'the part')
    .mockRejectedValueOnce(GONE)
    .mockRejectedValueOnce(GONE);
  const loaded = vi.fn();
  const loading = loadAnswered(load).then(loaded);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  expect(loaded).not.toHaveBeenCalled();
  // It comes and goes again.
  await vi.waitFor(() => {
    noteAnswer();
    expect(load).toHaveBeenCalledTimes(2);
  });
  expect(loaded).not.toHaveBeenCalled();
  await vi.waitFor(() => {
    noteAnswer();
    expect(load).toHaveBeenCalledTimes(3);
  });
  await loading;
  expect(loaded).toHaveBeenCalledWith('the part');
});

test('a part that is gone from a server that answers fails at once', async () => {
  serve(true);
  const load = vi.fn(async () => Promise.reject(GONE));
  await expect(loadAnswered(load)).rejects.toBe(GONE);
  expect(load).toHaveBeenCalledTimes(1);
});
