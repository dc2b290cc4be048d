import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

/** All files of a worker share one page, and their order is that of the disk: see tests/support/web-setup.ts. */

const isThere = () => [onlineManager.isOnline(), focusManager.isFocused()];

test('a page that goes offline, without focus', () => {
  const client = new QueryClient();
  client.mount();
  window.dispatchEvent(new Event('offline'));
  focusManager.setFocused(false);
  expect(isThere()).toEqual([false, false]);
  client.unmount();
});

test('is online and in focus again for the next test', () => {
  expect(isThere()).toEqual([true, true]);
});
