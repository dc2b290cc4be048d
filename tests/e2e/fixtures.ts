import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page, request } from '@playwright/test';
import { IS_ALL } from '#tests/support/breadth.ts';

/** The first account of the database, and therefore its admin. */
export const OWNER = {
  fullName: 'Olive Owner',
  email: 'olive@example.com',
  phoneNumber: '+1 555 0100',
  password: 'a stitch in nine saves time',
};

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/**
 * Marks a test that runs only with `--all`: the same behavior is tested in jsdom, or by another test here on
 * another screen built the same way.
 */
export const BREADTH = { tag: '@all' } as const;

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;

/**
 * Logs in once for all tests of a worker, because sign-ins are rate limited.
 * @returns the cookies
 */
export async function logInAt(
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Session> {
  const visitor = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
  const data = { username: email, password, twoFactorToken: '' };
  const answer = await visitor.post('/api/login', { data });
  expect(answer.status(), await answer.text()).toBe(200);
  const session = await visitor.storageState();
  await visitor.dispose();
  return session;
}

type WorkerFixtures = {
  /** The owner's cookies; creates the owner if needed. */
  ownerSession: Session;
};
type Fixtures = {
  /** A page with the owner logged in. */
  ownerPage: Page;
  /** A page with the owner logged in a moment ago: it may log out, and is not asked for the password once more. */
  provenPage: Page;
  /** Fails the test on errors reported by the page; error responses of the server are up to the test. */
  pageErrors: string[];
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  ownerSession: [
    async ({ browserName: _ }, use) => {
      const url = process.env.PRICEWRIGHT_E2E_URL ?? '';
      const visitor = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
      // Rejected if an earlier test has created the account.
      await visitor.post('/api/register', { data: { ...OWNER, username: OWNER.email } });
      await visitor.dispose();
      await use(await logInAt(url, OWNER));
    },
    { scope: 'worker' },
  ],
  pageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        const isRefusal = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isRefusal) errors.push(message.text());
      });
      await use(errors);
      expect(errors, 'errors in the page').toEqual([]);
    },
    { auto: true },
  ],
  ownerPage: async ({ page, ownerSession }, use) => {
    await page.context().addCookies(ownerSession.cookies);
    await use(page);
  },
  provenPage: async ({ page, baseURL, ownerSession: _ }, use) => {
    await page.context().addCookies((await logInAt(baseURL ?? '', OWNER)).cookies);
    await use(page);
  },
});

/** The rules a theme can break; the others do not depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The tokens test checks the colors of both themes; the colors of each screen, and its dark theme, only with `--all`. */
const THEMES = IS_ALL ? (['light', 'dark'] as const) : (['light'] as const);

/** Findings only: describing every passing element takes most of the time on a long table. */
const FINDINGS_ALONE = { resultTypes: ['violations' as const], selectors: false };

/** Finds the files of axe that the builder comes with. */
const AXE = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));

/**
 * axe in this page, put there once for each page that is loaded: the builder would have the browser read its megabyte
 * twice for every check. Legacy mode: axe merges its findings in the page itself and not in a second one, which only
 * cross-origin frames need.
 */
async function axeIn(page: Page): Promise<AxeBuilder> {
  expect(page.frames()).toHaveLength(1);
  if (await page.evaluate(() => !('axe' in window)))
    await page.evaluate(readFileSync(AXE.resolve('axe-core/axe.min.js'), 'utf8'));
  return new AxeBuilder({ page, axeSource: 'void 0' }).setLegacyMode().options({ ...FINDINGS_ALONE });
}

/**
 * Removes rows that are built like two before them, as axe would report the same for them: the same elements with the
 * same classes, roles and attributes, empty or filled in the same places. With `--all` every row is checked.
 * A row with the focus stays.
 * @returns restores them
 */
async function hideRowsOfOneMake(page: Page): Promise<() => Promise<void>> {
  if (IS_ALL) return () => Promise.resolve();
  const hidden = await page.evaluateHandle(() => {
    const partOf = (element: Element): string => {
      const attributes = [...element.attributes].map(({ name, value }) => {
        const isSaid = name === 'class' || name === 'role' || name === 'type' || name === 'style';
        return `${name}=${isSaid ? value : value.trim() !== ''}`;
      });
      return [element.tagName, element.textContent.trim() !== '', ...attributes].join(' ');
    };
    const seen = new Map<string, number>();
    return [...document.querySelectorAll<HTMLElement>('main tbody > tr:not(:focus-within)')].filter((row) => {
      const make = [row, ...row.querySelectorAll('*')].map(partOf).join('\n');
      const before = seen.get(make) ?? 0;
      seen.set(make, before + 1);
      if (before >= 2) row.style.display = 'none';
      return before >= 2;
    });
  });
  return async () => {
    await hidden.evaluate((rows) => {
      for (const row of rows) row.style.removeProperty('display');
    });
    await hidden.dispose();
  };
}

/**
 * Expects no axe findings once the page is idle.
 * @param within a selector: checks only its contents, as for a dialog over a page that was checked before
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // A spinner never ends, and axe does not need it to.
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
        ),
    );
    // A toast may begin to fade out after that.
    const axe = (await axeIn(page)).exclude('li[data-state="closed"]');
    if (within !== undefined) axe.include(within);
    if (colorScheme === 'light') axe.withTags(WCAG).disableRules(IS_ALL ? [] : COLOR_RULES);
    else axe.withRules(COLOR_RULES);
    const showRows = await hideRowsOfOneMake(page);
    const { violations } = await axe.analyze();
    await showRows();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(findings, `axe, ${colorScheme} theme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

export { expect };
