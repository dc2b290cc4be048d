import { afterEach, expect, test, vi } from 'vitest';
import { loadAnswered, noteAnswer } from './connection.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  noteAnswer();
});

/** Whether the server answers. */
function serve(isUp: boolean): void {
  vi.stubGlobal('fetch', async () => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response('');
  });
}

const MISSING_CHUNK = new TypeError('Failed to fetch dynamically imported module: /assets/rules-page.js');

test('a chunk that failed to load without a connection is loaded after reconnecting', async () => {
  serve(false);
  const load = vi
    .fn(async () => 'the part')
    .mockRejectedValueOnce(MISSING_CHUNK)
    .mockRejectedValueOnce(MISSING_CHUNK);
  const loaded = vi.fn();
  const loading = loadAnswered(load).then(loaded);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  expect(loaded).not.toHaveBeenCalled();
  // The connection comes back and drops again.
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

test('a chunk missing on a server that answers fails at once', async () => {
  serve(true);
  const load = vi.fn(async () => Promise.reject(MISSING_CHUNK));
  await expect(loadAnswered(load)).rejects.toBe(MISSING_CHUNK);
  expect(load).toHaveBeenCalledTimes(1);
});
