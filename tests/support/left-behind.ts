import { afterAll, beforeAll, expect, vi } from 'vitest';

/** Of these a process has one, and all test files of a worker share it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const;

function stateOfProcess(): Record<string, unknown> {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    umask: process.umask(),
    listeners: SIGNALS.map((name) => `${name}: ${process.listenerCount(name)}`),
    fetch: globalThis.fetch,
  };
}

// Runs around each test file: the next one of the same worker starts as the first one did.
let before: Record<string, unknown>;
beforeAll(() => {
  before = stateOfProcess();
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(stateOfProcess(), 'this file leaves its process as it found it').toEqual(before);
});
