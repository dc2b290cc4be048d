import { BREADTH, expect, expectAccessible, OWNER, test } from './fixtures.ts';

test('the first registration becomes the admin, logged in at once', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Create the first account', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Full name').fill(OWNER.fullName);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Phone number').fill(OWNER.phoneNumber);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Welcome!', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('complementary').getByText('Admin', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText('Create the first account', { exact: true })).toBeHidden();
});

test('a second registration waits for approval and shows what happens next', BREADTH, async ({ page }) => {
  await page.goto('/auth?tab=register');
  await page.getByLabel('Full name').fill('Nina New');
  await page.getByLabel('Email address').fill('nina@example.com');
  await page.getByLabel('Phone number').fill('+1 555 0101');
  await page.getByLabel('Password', { exact: true }).fill('another long sentence');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
  await expect(page.getByText('Registration successful', { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto('/');
  await expect(page).toHaveURL(/\/auth$/);
});

test(
  'a wrong password keeps the email address; the right one leads to the requested page',
  BREADTH,
  async ({ page }) => {
    await page.goto('/?from=bookmark');
    await expect(page).toHaveURL(/\/auth\?redirect=/);
    const email = page.getByLabel('Email address');
    const password = page.getByLabel('Password', { exact: true });
    await email.fill(OWNER.email);
    await password.fill('not the password');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Login failed' }).first()).toBeVisible();
    await expect(email).toHaveValue(OWNER.email);
    await expect(password).toBeFocused();
    await password.fill(OWNER.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page).toHaveURL(/\/\?from=bookmark$/);
  },
);

test('logging in needs no mouse', BREADTH, async ({ page }) => {
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(OWNER.email);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(OWNER.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeFocused();
  await expect(page).toHaveTitle('Dashboard | Pricewright');
});

test('both tabs, with and without errors, pass axe', async ({ page }) => {
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Enter your password')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Register' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Enter your full name')).toBeVisible();
  await expect(page.getByLabel('Full name')).toBeFocused();
  await expectAccessible(page);
});

test('at 320 px nothing scrolls sideways', BREADTH, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/auth?tab=register');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
