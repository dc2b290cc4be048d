import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from '@playwright/test';
import { DEMO_LOGIN } from '#usecases/demo/demo-login.ts';

export interface LoggedInBrowser {
  readonly url: string;
  /** A page in a context of its own, logged in, with an empty cache. */
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/** A Chromium logged in to the sample account. */
export async function openBrowser(url: string): Promise<LoggedInBrowser> {
  const browser = await launch();
  const first = await browser.newContext({ baseURL: url });
  const { email, password } = DEMO_LOGIN;
  const answer = await first.request.post('/api/login', {
    headers: { origin: url },
    data: { username: email, password, twoFactorToken: '' },
  });
  if (!answer.ok()) throw new Error(`The login to the sample shop failed: ${await answer.text()}`);
  const state = await first.storageState();
  return {
    url,
    newPage: async () => {
      const context = await browser.newContext({
        baseURL: url,
        storageState: state,
        viewport: { width: 1440, height: 900 },
      });
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

async function launch(): Promise<Browser> {
  const executablePath = systemChromium();
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

function systemChromium(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
