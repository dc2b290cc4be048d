import { type StubProvider, startStubProvider } from '#tests/support/stub-provider.ts';
import { BREADTH, expect, expectAccessible, logInAt, OWNER, test } from './fixtures.ts';

/* Login with an identity provider on this machine, from the settings to the button. */

const SETTINGS = '/api/openid/settings';

let provider: StubProvider;
test.beforeEach(async () => {
  provider = await startStubProvider(() => Date.now());
});
test.afterEach(() => provider.close());

test(
  'an administrator sets up an identity provider, logs out, and comes in by its button',
  BREADTH,
  async ({ provenPage: page, request, baseURL }) => {
    const home = baseURL ?? '';
    await page.goto('/settings#login');
    const section = page.getByRole('region', { name: 'Login' });
    await section.getByRole('button', { name: 'Set up an identity provider' }).click();
    const form = section.getByRole('form', { name: 'Login' });
    await expect(form.getByLabel('Redirect URI')).toHaveValue(`${home}/auth/return`);
    await form.getByLabel('Issuer URL').fill(provider.issuer);
    await form.getByRole('button', { name: 'Test provider' }).click();
    await expect(form.getByRole('status')).toContainText('The provider can be used');
    await form.getByLabel('Client ID').fill(provider.clientId);
    await form.getByLabel('Client secret', { exact: true }).fill(provider.clientSecret);
    await form.getByLabel('Name on the button').fill('Shop account');
    await form.getByRole('switch', { name: 'Link existing accounts' }).click();
    await form.getByRole('switch', { name: 'Log in with the identity provider' }).click();
    await expectAccessible(page, 'form[aria-label="Login"]');
    await form.getByRole('button', { name: 'Save login' }).click();
    await expect(page.getByText('Login saved', { exact: true })).toBeVisible();
    try {
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page).toHaveURL(/\/auth(\?|$)/);

      // The provider's page, where a person says who they are.
      await page.route(`${provider.issuer}/login?*`, async (route) => {
        const address = route.request().url();
        const person = { sub: 'olive-1', email: OWNER.email, email_verified: true, name: OWNER.fullName };
        const back = `${provider.asked(address).get('redirect_uri')}?${provider.logIn(address, person)}`;
        const body = `<!doctype html><title>Login</title><a href="${back.replaceAll('&', '&amp;')}">I am Olive</a>`;
        await route.fulfill({ contentType: 'text/html', body });
      });
      await page.getByRole('button', { name: 'Log in with Shop account' }).click();
      await page.getByRole('link', { name: 'I am Olive' }).click();
      // Back where the logout was.
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
      await expect(page.getByRole('complementary').getByText('Admin', { exact: true })).toBeVisible();
      expect(provider.requests).toContain('POST /token');
    } finally {
      // The tests after this one expect a login page without it.
      const { cookies } = await logInAt(home, OWNER);
      const headers = {
        origin: home,
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      };
      const { values, version } = await (await request.get(SETTINGS, { headers })).json();
      const off = await request.put(SETTINGS, { headers, data: { ...values, isOn: false, version } });
      expect(off.status()).toBe(200);
    }
  },
);
