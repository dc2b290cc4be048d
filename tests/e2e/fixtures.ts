import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page, request } from '@playwright/test';
import { IS_ALL } from '#tests/support/breadth.ts';

/** The first account of the database, so its admin. */
export const OWNER = {
  fullName: 'Olive Owner',
  email: 'olive@example.com',
  phoneNumber: '+1 555 0100',
  password: 'a stitch in nine saves time',
};

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/**
 * Of a test that runs with `--all` alone: the same promise is held in a simulated browser, or by another test here in
 * another place of the same making.
 */
export const BREADTH = { tag: '@all' } as const;

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;

/**
 * Signs in once for all tests of a worker, as the limit on sign-ins wants it.
 * @returns the cookies
 */
export async function signInAt(
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
  /** The owner's cookies; there is an owner from then on. */
  ownerSession: Session;
};
type Fixtures = {
  /** A page on which the owner is signed in. */
  ownerPage: Page;
  /** Fails the test on errors the page reports; refusals of the server are the test's own matter. */
  pageErrors: string[];
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  ownerSession: [
    async ({ browserName: _ }, use) => {
      const url = process.env.PRICEWRIGHT_E2E_URL ?? '';
      const visitor = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
      // Refused where an earlier test has made the account.
      await visitor.post('/api/register', { data: { ...OWNER, username: OWNER.email } });
      await visitor.dispose();
      await use(await signInAt(url, OWNER));
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
});

/** What a theme can break: the other rules do not look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The tokens test holds the colors of both themes; what a screen makes of the dark ones is looked at with `--all`. */
const THEMES = IS_ALL ? (['light', 'dark'] as const) : (['light'] as const);

/** Only findings are asked for: descriptions of every element that is in order are much of the work on a long table. */
const FINDINGS_ALONE = { resultTypes: ['violations' as const], selectors: false };

/**
 * Takes rows away that are made like two before them, as axe would say of them what it says of those: the same elements
 * with the same classes, roles and attributes, empty or filled in the same places. With `--all` every row is looked at.
 * A row that has the focus stays.
 * @returns brings them back
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
 * No finding of axe, once nothing moves any more.
 * @param within a selector: only what lies in there, as for a dialog over a page that was looked at before
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // A spinner never ends, and is none of axe's business.
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
        ),
    );
    // Legacy: axe puts its findings together in the page itself and not in a second one, which only frames of
    // other origins need.
    expect(page.frames()).toHaveLength(1);
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ ...FINDINGS_ALONE });
    if (within !== undefined) axe.include(within);
    if (colorScheme === 'light') axe.withTags(WCAG);
    else axe.withRules(COLOUR_RULES);
    const showRows = await hideRowsOfOneMake(page);
    const { violations } = await axe.analyze();
    await showRows();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(findings, `axe, ${colorScheme} theme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

export { expect };
