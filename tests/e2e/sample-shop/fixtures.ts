import type { Locator, Page } from '@playwright/test';
import { BREADTH, expect, expectAccessible, test as inOnePage, signInAt } from '#tests/e2e/fixtures.ts';
import { DEMO_SIGN_IN } from '#usecases/demo/demo-sign-in.ts';

const url = process.env.PRICEWRIGHT_E2E_SHOP_URL ?? '';

type ShopFixtures = {
  /** A page of the sample account with its admin signed in. */
  shopPage: Page;
};
type ShopSession = {
  /** The admin's cookies. */
  shopSession: Awaited<ReturnType<typeof signInAt>>;
};

/** Tests of the screens with sample data: 600 listings, 90 days, one listing for each kind of problem. */
export const test = inOnePage.extend<ShopFixtures, ShopSession>({
  baseURL: url,
  shopSession: [
    async ({ browserName: _ }, use) => {
      await use(await signInAt(url, DEMO_SIGN_IN));
    },
    { scope: 'worker' },
  ],
  shopPage: async ({ page, shopSession }, use) => {
    await page.context().addCookies(shopSession.cookies);
    await use(page);
  },
});

/** The toast with this title, without its copy for screen readers. */
export function toastOf(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });
}

export { BREADTH, expect, expectAccessible };
