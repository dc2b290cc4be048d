import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionCheck } from '#contract/connections.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { aStatus } from '#tests/support/engine-screen.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import {
  field,
  LIMITS,
  openSettings,
  SELLERS,
  saveAll,
  someConnections,
  someSettings,
} from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';
import { returnText } from './consent-text.ts';

// Queries by role over whole screens are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
  window.location.hash = '';
});

const MASK = '********';
const at = (marketplace: Marketplace) => `/settings?marketplace=${marketplace}`;
const panel = (marketplace: Marketplace) =>
  within(screen.getByRole('tabpanel', { name: MARKETPLACE_NAMES[marketplace] }));
const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name });

const APPLICATION = { enabled: true, appId: 'app', certId: MASK, ruName: 'Ann-Shop' };
const GIVEN = { ...APPLICATION, refreshToken: MASK, refreshTokenExpiresAt: '2027-05-31' };
const A_CHECK: ConnectionCheck = {
  success: true,
  error: null,
  shopName: 'fine-mugs',
  notes: [],
  endsAt: null,
  checkedAt: new Date().toISOString(),
  milliseconds: 5,
};

describe('Connect eBay', () => {
  test('opens the page that the server returns', async () => {
    const { user, writes } = await openSettings(
      someSettings({ marketplaces: { ebay: APPLICATION } }),
      // A navigation within this page replaces leaving it.
      { 'POST /api/connections/ebay/consent': { body: { address: `${window.location.href}#at-ebay` } } },
      at('ebay'),
    );
    expect(panel('ebay').getByText('You log in to eBay, agree, and return here.')).toBeTruthy();
    await user.click(button('Connect eBay'));
    await waitFor(() => expect(window.location.hash).toBe('#at-ebay'));
    expect(writes().map(({ call }) => call)).toEqual(['POST /api/connections/ebay/consent']);
  });

  test('shows missing fields first, and is disabled until they are stored', async () => {
    await openSettings(
      someSettings({ marketplaces: { ebay: { enabled: true, appId: 'app' } } }),
      {},
      at('ebay'),
    );
    expect(button('Connect eBay').disabled).toBe(true);
    expect(panel('ebay').getByText('eBay still needs: Cert ID and RuName.')).toBeTruthy();
  });

  test('is disabled while typed text would be lost', async () => {
    const { user } = await openSettings(
      someSettings({ marketplaces: { ebay: APPLICATION } }),
      {},
      at('ebay'),
    );
    await user.type(field('Username'), 'ann');
    expect(button('Connect eBay').disabled).toBe(true);
    expect(panel('ebay').getByText(/^Save the settings first\. You leave this page/)).toBeTruthy();
  });

  test('shows that a consent is stored and until when, and that it can be renewed', async () => {
    await openSettings(someSettings({ marketplaces: { ebay: GIVEN } }), {}, at('ebay'));
    expect(panel('ebay').getByText('Your authorization is saved and valid until May 31, 2027.')).toBeTruthy();
    expect(button('Connect eBay again').disabled).toBe(false);
  });

  test('is removed with the next save, and can be kept until then', async () => {
    const { user, writes } = await openSettings(
      someSettings({ marketplaces: { ebay: GIVEN } }),
      {},
      at('ebay'),
    );
    await user.click(button('Disconnect eBay'));
    expect(panel('ebay').getByText(/^eBay is disconnected when you save\./)).toBeTruthy();
    await user.click(button('Keep connected'));
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
    await user.click(button('Disconnect eBay'));
    await user.click(saveAll());
    await screen.findByText('Settings saved');
    expect(writes()[0]?.body).toMatchObject({
      marketplaces: { ebay: { certId: MASK, refreshToken: '', refreshTokenExpiresAt: '' } },
    });
    expect(panel('ebay').getByText('eBay still needs: your authorization.')).toBeTruthy();
  });

  test('stays on the page and shows the error if the server has no consent page', async () => {
    const { user } = await openSettings(
      someSettings({ marketplaces: { ebay: APPLICATION } }),
      { 'POST /api/connections/ebay/consent': refusal(409, 'conflict', 'The RuName of eBay is missing.') },
      at('ebay'),
    );
    await user.click(button('Connect eBay'));
    await panel('ebay').findByText('Could not open eBay');
    expect(panel('ebay').getByText('The RuName of eBay is missing.')).toBeTruthy();
    expect(button('Connect eBay').disabled).toBe(false);
  });

  test('is missing for other marketplaces', async () => {
    await openSettings(someSettings({ marketplaces: { shopify: { enabled: true } } }), {}, at('shopify'));
    expect(screen.queryByRole('button', { name: /^Connect / })).toBeNull();
  });

  test('missing consent is named in plain words', async () => {
    await openSettings(someSettings({ marketplaces: { ebay: APPLICATION } }), {}, at('ebay'));
    expect(panel('ebay').getByText('eBay still needs: your authorization.')).toBeTruthy();
  });
});

describe('a pasted address', () => {
  const PASTED = 'https://signin.ebay.com/thanks?state=s&code=c';
  async function paste(answers: Answers) {
    const opened = await openSettings(
      someSettings({ marketplaces: { ebay: APPLICATION } }),
      { 'POST /api/connections/ebay/check': { body: A_CHECK }, ...answers },
      at('ebay'),
    );
    expect(button('Use this address').disabled).toBe(true);
    await opened.user.type(field('Address of the eBay page you landed on'), PASTED);
    await opened.user.click(button('Use this address'));
    return opened;
  }

  test('is sent to the server, and the connection is tested', async () => {
    const { writes } = await paste({
      'POST /api/connections/ebay/consent/answer': { body: { endsAt: '2027-05-31T00:00:00.000Z' } },
    });
    await screen.findByText('eBay is connected');
    expect(writes()).toMatchObject([
      { call: 'POST /api/connections/ebay/consent/answer', body: { address: PASTED } },
      { call: 'POST /api/connections/ebay/check' },
    ]);
    expect(field('Address of the eBay page you landed on').value).toBe('');
  });

  test('without a consent is an error at its field, and stays to be corrected', async () => {
    await paste({
      'POST /api/connections/ebay/consent/answer': refusal(
        409,
        'conflict',
        'The authorization was declined at eBay.',
      ),
    });
    await panel('ebay').findByText('The authorization was declined at eBay.');
    expect(field('Address of the eBay page you landed on').getAttribute('aria-invalid')).toBe('true');
    expect(field('Address of the eBay page you landed on').value).toBe(PASTED);
  });
});

describe('the return page of a marketplace', () => {
  function arrive(answers: Answers, address = '/connect/ebay?state=s&code=v%5E1.1%23c') {
    const sent = serveApi({
      'GET /api/user': { body: aUser({ role: 'admin' }) },
      'GET /api/engine': { body: aStatus() },
      'GET /api/jobs': { body: [] },
      'GET /api/settings': { body: someSettings({ marketplaces: { ebay: GIVEN } }) },
      'GET /api/repricing-limits': { body: LIMITS },
      'GET /api/own-sellers': { body: SELLERS },
      'GET /api/connections': {
        body: someConnections({ ebay: { priceChannel: 'connected', lastCheck: A_CHECK } }),
      },
      'POST /api/connections/ebay/check': { body: A_CHECK },
      ...answers,
    });
    const router = renderApp(address);
    return { router, posts: () => sent.filter(({ call }) => call.startsWith('POST')) };
  }
  const TAKEN: Answers = { 'POST /api/connections/ebay/consent/answer': { body: { endsAt: null } } };

  test('sends its parameters once, and opens the settings of that marketplace', async () => {
    const { router, posts } = arrive(TAKEN);
    await screen.findByText('eBay is connected');
    await waitFor(() => expect(router.state.location.href).toBe('/settings?marketplace=ebay#marketplaces'));
    expect(posts()).toMatchObject([
      {
        call: 'POST /api/connections/ebay/consent/answer',
        body: { address: `${window.location.origin}/connect/ebay?state=s&code=v%5E1.1%23c` },
      },
      { call: 'POST /api/connections/ebay/check' },
    ]);
  });

  test('removes the code from the address at once, and shows the error', async () => {
    const { router } = arrive({
      'POST /api/connections/ebay/consent/answer': refusal(
        409,
        'conflict',
        'The authorization was declined at eBay.',
      ),
    });
    expect((await screen.findByRole('alert')).textContent).toBe('The authorization was declined at eBay.');
    expect(screen.getByRole('heading', { name: 'Could not connect eBay' })).toBeTruthy();
    expect(router.state.location.href).toBe('/connect/ebay');
    await userEvent.click(screen.getByRole('link', { name: 'Back to Settings' }));
    await waitFor(() => expect(router.state.location.href).toBe('/settings?marketplace=ebay#marketplaces'));
  });

  test('says so if the consent is stored and does not work', async () => {
    arrive({
      ...TAKEN,
      'POST /api/connections/ebay/check': {
        body: { ...A_CHECK, success: false, error: 'eBay is away for the moment.' },
      },
    });
    await screen.findByText('Authorization saved');
    expect(await screen.findAllByText('eBay is away for the moment.')).not.toEqual([]);
  });

  test('of a marketplace without consent links nowhere', async () => {
    const { posts } = arrive({}, '/connect/walmart?code=c');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This address belongs to no marketplace/);
    expect(posts()).toEqual([]);
  });
});

describe('returning the answer', () => {
  test('is automatic over https; without, it is pasted, with an explanation', () => {
    const open = returnText('ebay', 'https://prices.example.com');
    expect(open.address).toBe('https://prices.example.com/connect/ebay');
    expect(open.told).toMatch(/under your RuName/);
    expect(open.paste).toMatch(/^If you land on a page of eBay instead of here/);
    const near = returnText('ebay', 'http://127.0.0.1:5000');
    expect(near.told).toBeNull();
    expect(near.paste).toMatch(/^eBay returns to https addresses only/);
    // The Etsy API requires the return address in every call: it must be a registered one.
    expect(returnText('etsy', 'http://127.0.0.1:5000').told).toMatch(/callback URLs/);
  });
});
