import type { Locator, Page } from '@playwright/test';
import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';

test('Ctrl+B collapses the sidebar, and a reload draws it collapsed from the first frame', async ({
  ownerPage: page,
  context,
}) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto('/');
  const sidebar = page.getByRole('complementary');
  await expect(sidebar).toHaveCSS('width', '256px');
  await page.keyboard.press('Control+b');
  await expect(sidebar).toHaveCSS('width', '48px');
  const cookie = (await context.cookies()).find(({ name }) => name === 'sidebar_state');
  expect(cookie?.value).toBe('false');
  expect(Math.abs((cookie?.expires ?? 0) - (Date.now() / 1_000 + 604_800))).toBeLessThan(60);
  // Every width of the sidebar during the load: a frame with another one would be a layout shift.
  await page.addInitScript(() => {
    const widths = new Set<number>();
    Object.assign(window, { sidebarWidths: widths });
    const look = (): void => {
      const width = document.querySelector('aside')?.getBoundingClientRect().width;
      if (width !== undefined) widths.add(width);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.reload();
  await expect(sidebar).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(
    await page.evaluate(() => [...(window as unknown as { sidebarWidths: Set<number> }).sidebarWidths]),
  ).toEqual([48]);
  await expectAccessible(page);
});

test('below 768 px the sidebar is a sheet that Escape closes, the focus going back', async ({
  ownerPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  await toggle.click();
  const sheet = page.getByRole('dialog', { name: 'Sidebar' });
  await expect(sheet).toHaveCSS('width', '288px');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(toggle).toBeFocused();
});

test('a stored dark theme is there before the first paint', async ({ ownerPage: page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(page.locator('html')).toHaveClass('dark');
  // Leaves the page first: a script of it that loads after the block would fail.
  await page.goto('about:blank');
  // Without the app's own script only the inline one can have set the class.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.locator('html')).toHaveClass('dark');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 15, 17)');
});

test(
  'F8 moves the focus to the toast, and it can be closed from there',
  BREADTH,
  async ({ ownerPage: page }) => {
    await page.goto('/');
    await page.route('**/api/logout', (route) =>
      route.fulfill({
        status: 503,
        json: { message: 'Shutting down.', code: 'unavailable', requestId: 'req-1' },
      }),
    );
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByText('Logout failed', { exact: true })).toBeVisible();
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Logout failed', { exact: true })).toBeHidden();
  },
);

test(
  'clearing the cache shows a toast and reloads, keeping the session',
  BREADTH,
  async ({ ownerPage: page }) => {
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.evaluate(() => localStorage.setItem('theme', 'dark'));
    // The page's timer for reading the toast advances only when the test does it.
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.getByRole('button', { name: 'Clear Cache & Reload' }).click();
    await expect(page.getByText('Cache cleared', { exact: true })).toBeVisible();
    await expect(page.getByText('Reloading application...', { exact: true })).toBeVisible();
    const reloaded = page.waitForEvent('domcontentloaded');
    await page.clock.runFor(1_000);
    await reloaded;
    await page.clock.resume();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page.locator('html')).toHaveClass(/dark/);
  },
);

test('the skip link leads past the sidebar', async ({ ownerPage: page }) => {
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('an unknown address is a 404 page with links to other pages', BREADTH, async ({ ownerPage: page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: '404: Page not found' })).toBeVisible();
  await expect(page).toHaveTitle('Page not found | Pricewright');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeFocused();
});

test('two tabs share one stream of events', async ({ ownerPage: page, context }) => {
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.url());
  });
  await page.goto('/');
  await expect.poll(() => streams.length).toBe(1);
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByText(/^Across \d marketplaces$/)).toBeVisible();
  expect(streams).toHaveLength(1);
  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  await expect(second.getByText('Listings may have changed.')).toBeVisible();
});

test(
  'the palette and the help pass axe, and work by keyboard alone',
  BREADTH,
  async ({ ownerPage: page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search and commands' });
    await expect(field).toBeFocused();
    await expectAccessible(page);
    await field.fill('rules');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Repricing Rules' })).toBeFocused();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await expect(page.getByRole('heading', { level: 1, name: 'Price History' })).toBeFocused();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page);
  },
);

test('single keys stay off after a reload', BREADTH, async ({ ownerPage: page }) => {
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('switch', { name: 'Single keys' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
});

/** A toast that stays open while it is tested. */
async function failLogout(page: Page): Promise<Locator> {
  await page.route('**/api/logout', (route) =>
    route.fulfill({
      status: 503,
      json: { message: 'Shutting down.', code: 'unavailable', requestId: 'req-1' },
    }),
  );
  await page.getByRole('button', { name: 'Logout' }).click();
  const toast = page.getByRole('listitem').filter({ hasText: 'Logout failed' });
  await expect(toast).toBeVisible();
  await expect.poll(() => toast.evaluate((node) => node.getAnimations().length)).toBe(0);
  return toast;
}

async function swipe(page: Page, toast: Locator, pixels: number): Promise<void> {
  const box = await toast.boundingBox();
  if (box === null) throw new Error('the toast is not in view');
  const [x, y] = [box.x + 60, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + pixels / 2, y, { steps: 4 });
  await page.mouse.move(x + pixels, y, { steps: 4 });
  await page.mouse.up();
}

test(
  'a swipe of 40 px to the right keeps a toast, one of 60 px dismisses it',
  BREADTH,
  async ({ ownerPage: page }) => {
    await page.goto('/');
    const toast = await failLogout(page);
    await swipe(page, toast, 40);
    await expect(toast).toBeVisible();
    await swipe(page, toast, 60);
    await expect(toast).toBeHidden();
  },
);

test('no page scrolls sideways at 320 px', BREADTH, async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  // The screens with data are checked in every-screen.spec.ts.
  for (const path of ['/', '/listings', '/rules/new', '/shipping-tiers?tier=new', '/settings']) {
    await page.goto(path);
    await expect(page.locator('h1')).toBeAttached();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});

/** Controls with less than 44 px in a direction. */
const tooSmall = (scope: Locator): Promise<string[]> =>
  scope.locator('button, a').evaluateAll((controls) =>
    controls.flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      return width > 0 && (width < 43.5 || height < 43.5) ? [control.outerHTML.slice(0, 120)] : [];
    }),
  );

test('on a phone every control of the shell has 44 px', async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  expect(await tooSmall(page.getByRole('banner'))).toEqual([]);
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  expect(await tooSmall(page.getByRole('dialog', { name: 'Sidebar' }))).toEqual([]);
});

test('touch controls have 44 px on a wide screen too', BREADTH, async ({ ownerPage, browser }) => {
  const touched = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 1_280, height: 800 },
    storageState: await ownerPage.context().storageState(),
  });
  const page = await touched.newPage();
  await page.goto('/shipping-tiers');
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  for (const part of ['banner', 'complementary'] as const) {
    expect(await tooSmall(page.getByRole(part))).toEqual([]);
  }
  expect(
    await tooSmall(page.getByRole('main').getByRole('button', { name: 'Refresh' }).locator('..')),
  ).toEqual([]);
  await touched.close();
});

test('with reduced motion nothing moves', BREADTH, async ({ ownerPage: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  const sheet = page.getByRole('dialog', { name: 'Sidebar' });
  await expect(sheet).toHaveCSS('animation-name', 'fade-in');
});
