import type { TestApp } from './test-app.ts';

/** A browser that follows the live events of a session. */
export interface ListeningBrowser {
  /** All events it received, once its stream has ended. */
  readonly ended: Promise<string>;
  readonly stop: () => void;
}

/** Once per app: it begins to listen for it. */
export async function listenAs(shop: TestApp, cookie: string): Promise<ListeningBrowser> {
  const origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const abort = new AbortController();
  const response = await fetch(`${origin}/api/events`, { headers: { cookie }, signal: abort.signal });
  return { ended: response.text(), stop: () => abort.abort() };
}
