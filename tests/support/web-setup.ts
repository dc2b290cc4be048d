import { readFileSync } from 'node:fs';
import { focusManager, onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { noteAnswer } from '#web/lib/connection.ts';
import { resetPage } from '#web/lib/store.ts';
import './quick-page.ts';

// The first test of a screen also loads it, on a machine that may be busy. A limit, not a wait.
configure({ asyncUtilTimeout: 120_000 });

/** What the build puts in (vite.config.ts). */
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
Object.assign(globalThis, { __APP_VERSION__: version });

/** What browsers have and jsdom lacks, as far as the screens need it. */
const nothing = (): undefined => undefined;
class NoResizeObserver implements ResizeObserver {
  observe = nothing;
  unobserve = nothing;
  disconnect = nothing;
}
Object.assign(globalThis, { ResizeObserver: NoResizeObserver });
Object.assign(Element.prototype, {
  hasPointerCapture: () => false,
  setPointerCapture: nothing,
  releasePointerCapture: nothing,
  scrollIntoView: nothing,
});
/** Opens nothing; tests of the live stream bring their own. */
class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 0;
  close = nothing;
}
Object.assign(globalThis, { EventSource: SilentEventSource });
/** No test reaches a network, nor does what one left on its way disturb the next. */
Object.assign(globalThis, { fetch: () => new Promise<Response>(nothing) });
window.scrollTo = nothing;
setViewport(1440);

/** Answers media queries about the width as a window of that many pixels would; all others are "no". */
export function setViewport(width: number): void {
  window.matchMedia = (query) => {
    const least = /min-width:\s*(\d+)px/.exec(query)?.[1];
    const most = /max-width:\s*(\d+)px/.exec(query)?.[1];
    const matches =
      (least !== undefined || most !== undefined) &&
      width >= Number(least ?? 0) &&
      width <= Number(most ?? Number.POSITIVE_INFINITY);
    return Object.assign(new EventTarget(), {
      matches,
      media: query,
      onchange: null,
      addListener: nothing,
      removeListener: nothing,
    }) as MediaQueryList;
  };
}

let complaints: MockInstance<typeof console.error>[];

beforeEach(() => {
  complaints = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
});

afterEach(() => {
  cleanup();
  beginPageAnew();
  const texts = complaints.flatMap(({ mock }) => mock.calls.map((call) => call.map(String).join(' ')));
  for (const complaint of complaints) complaint.mockRestore();
  expect(texts, 'unexpected complaints on the console').toEqual([]);
});

/** All files of a worker share one page: what one test did to it, no other sees. */
function beginPageAnew(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // Ends the asking for a server that does not answer.
  noteAnswer();
  // A query of a page that was offline would wait forever.
  onlineManager.setOnline(true);
  focusManager.setFocused(undefined);
  resetPage();
  localStorage.clear();
  sessionStorage.clear();
  clearCookies(document);
  document.title = '';
  document.documentElement.removeAttribute('class');
  // A dialog that is taken away with its page leaves the page closed to the pointer.
  document.body.removeAttribute('style');
  setViewport(1440);
}

function clearCookies(page: Document): void {
  for (const pair of page.cookie.split('; ')) page.cookie = `${pair.split('=')[0]}=; max-age=0; path=/`;
}
