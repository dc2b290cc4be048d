import type { Locator, Page } from '@playwright/test';
import { BREADTH, expect, expectAccessible, test as inOnePage, logInAt } from '#tests/e2e/fixtures.ts';
import { DEMO_LOGIN } from '#usecases/demo/demo-login.ts';

const url = process.env.PRICEWRIGHT_E2E_SHOP_URL ?? '';

type ShopFixtures = {
  /** A page of the sample account with its admin logged in. */
  shopPage: Page;
};
type ShopSession = {
  /** The admin's cookies. */
  shopSession: Awaited<ReturnType<typeof logInAt>>;
};

/** Tests of the screens with sample data: 600 listings, 90 days, one listing for each kind of problem. */
export const test = inOnePage.extend<ShopFixtures, ShopSession>({
  baseURL: url,
  shopSession: [
    async ({ browserName: _ }, use) => {
      await use(await logInAt(url, DEMO_LOGIN));
    },
    { scope: 'worker' },
  ],
  shopPage: async ({ page, shopSession }, use) => {
    await page.context().addCookies(shopSession.cookies);
    await use(page);
  },
});

/** Enters the admin's password again, which counts for ten minutes: the whole stage may take longer. */
export async function stepUp(page: Page): Promise<void> {
  const data = { password: DEMO_LOGIN.password };
  const answer = await page.request.post('/api/step-up', { data, headers: { origin: url } });
  expect(answer.ok()).toBe(true);
}

/** The toast with this title, without its copy for screen readers. */
export function toastOf(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });
}

export { BREADTH, expect, expectAccessible };
