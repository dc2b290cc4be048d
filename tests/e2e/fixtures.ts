import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

/** The first account of the database, so its admin. */
export const OWNER = {
  fullName: 'Olive Owner',
  email: 'olive@example.com',
  phoneNumber: '+1 555 0100',
  password: 'a stitch in nine saves time',
};

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

type Fixtures = {
  /** A page on which the owner is signed in. */
  ownerPage: Page;
  /** Fails the test on errors the page reports; refusals of the server are the test's own matter. */
  pageErrors: string[];
};

export const test = base.extend<Fixtures>({
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
  ownerPage: async ({ page, baseURL }, use) => {
    const headers = { origin: baseURL ?? '' };
    const session = await page.request.get('/api/user');
    if (!session.ok()) {
      const { email, password } = OWNER;
      await page.request.post('/api/register', { headers, data: { ...OWNER, username: email } });
      const login = { username: email, password, twoFactorToken: '' };
      const answer = await page.request.post('/api/login', { headers, data: login });
      expect(answer.status(), await answer.text()).toBe(200);
    }
    await use(page);
  },
});

/** What a theme can break: the other rules do not look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * No finding of axe in either theme, once nothing moves any more.
 * @param within a selector: only what lies in there, as for a dialog over a page that was looked at before
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
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
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (within !== undefined) axe.include(within);
    if (colorScheme === 'light') axe.withTags(WCAG);
    else axe.withRules(COLOUR_RULES);
    const { violations } = await axe.analyze();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(findings, `axe, ${colorScheme} theme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

export { expect };
