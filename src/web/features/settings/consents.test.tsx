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
  GUARDS,
  openSettings,
  SELLERS,
  saveAll,
  someConnections,
  someSettings,
} from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';
import { returnWords } from './consent-text.ts';

// Whole screens are searched by role, which is slow where other work shares the processor.
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
  test('leaves for the page that the server names', async () => {
    const { user, writes } = await openSettings(
      someSettings({ marketplaces: { ebay: APPLICATION } }),
      // A step within this page stands for leaving it.
      { 'POST /api/connections/ebay/consent': { body: { address: `${window.location.href}#at-ebay` } } },
      at('ebay'),
    );
    expect(panel('ebay').getByText('You log in to eBay, agree, and return here.')).toBeTruthy();
    await user.click(button('Connect eBay'));
    await waitFor(() => expect(window.location.hash).toBe('#at-ebay'));
    expect(writes().map(({ call }) => call)).toEqual(['POST /api/connections/ebay/consent']);
  });

  test('says what is missing first, and is off until it is stored', async () => {
    await openSettings(
      someSettings({ marketplaces: { ebay: { enabled: true, appId: 'app' } } }),
      {},
      at('ebay'),
    );
    expect(button('Connect eBay').disabled).toBe(true);
    expect(panel('ebay').getByText('eBay still needs: Cert ID and RuName.')).toBeTruthy();
  });

  test('is off while something typed would be lost', async () => {
    const { user } = await openSettings(
      someSettings({ marketplaces: { ebay: APPLICATION } }),
      {},
      at('ebay'),
    );
    await user.type(field('Username'), 'ann');
    expect(button('Connect eBay').disabled).toBe(true);
    expect(panel('ebay').getByText(/^Save the settings first\. You leave this page/)).toBeTruthy();
  });

  test('says that a consent is stored and until when, and can be given again', async () => {
    await openSettings(someSettings({ marketplaces: { ebay: GIVEN } }), {}, at('ebay'));
    expect(panel('ebay').getByText('Your authorization is saved and valid until May 31, 2027.')).toBeTruthy();
    expect(button('Connect eBay again').disabled).toBe(false);
  });

  test('is disconnected with the next save, and can be kept until then', async () => {
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
    expect(panel('ebay').getByText('eBay still needs: your consent.')).toBeTruthy();
  });

  test('stays on the page and says why when the server knows no way there', async () => {
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

  test('is nothing that other marketplaces have', async () => {
    await openSettings(someSettings({ marketplaces: { shopify: { enabled: true } } }), {}, at('shopify'));
    expect(screen.queryByRole('button', { name: /^Connect / })).toBeNull();
  });

  test('what is missing is the consent, not a word for programmers', async () => {
    await openSettings(someSettings({ marketplaces: { ebay: APPLICATION } }), {}, at('ebay'));
    expect(panel('ebay').getByText('eBay still needs: your consent.')).toBeTruthy();
  });
});

describe('an address that is pasted', () => {
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

  test('is brought to the server, and the connection is tested with what it is worth', async () => {
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

  test('that holds no consent is told at its field, and stays to be mended', async () => {
    await paste({
      'POST /api/connections/ebay/consent/answer': refusal(
        409,
        'conflict',
        'The consent was declined at eBay.',
      ),
    });
    await panel('ebay').findByText('The consent was declined at eBay.');
    expect(field('Address of the eBay page you landed on').getAttribute('aria-invalid')).toBe('true');
    expect(field('Address of the eBay page you landed on').value).toBe(PASTED);
  });
});

describe('the page that a marketplace leads back to', () => {
  function arrive(answers: Answers, address = '/connect/ebay?state=s&code=v%5E1.1%23c') {
    const sent = serveApi({
      'GET /api/user': { body: aUser({ role: 'admin' }) },
      'GET /api/engine': { body: aStatus() },
      'GET /api/jobs': { body: [] },
      'GET /api/settings': { body: someSettings({ marketplaces: { ebay: GIVEN } }) },
      'GET /api/repricing-limits': { body: GUARDS },
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

  test('brings what it came with, once, and ends in the settings of that marketplace', async () => {
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

  test('takes the code out of the address at once, and says plainly what went wrong', async () => {
    const { router } = arrive({
      'POST /api/connections/ebay/consent/answer': refusal(
        409,
        'conflict',
        'The consent was declined at eBay.',
      ),
    });
    expect((await screen.findByRole('alert')).textContent).toBe('The consent was declined at eBay.');
    expect(screen.getByRole('heading', { name: 'Could not connect eBay' })).toBeTruthy();
    expect(router.state.location.href).toBe('/connect/ebay');
    await userEvent.click(screen.getByRole('link', { name: 'Back to Settings' }));
    await waitFor(() => expect(router.state.location.href).toBe('/settings?marketplace=ebay#marketplaces'));
  });

  test('says so when the consent is stored and does not work', async () => {
    arrive({
      ...TAKEN,
      'POST /api/connections/ebay/check': {
        body: { ...A_CHECK, success: false, error: 'eBay is away for the moment.' },
      },
    });
    await screen.findByText('Authorization saved');
    expect(await screen.findAllByText('eBay is away for the moment.')).not.toEqual([]);
  });

  test('of a marketplace that asks for no consent leads nowhere', async () => {
    const { posts } = arrive({}, '/connect/walmart?code=c');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This address belongs to no marketplace/);
    expect(posts()).toEqual([]);
  });
});

describe('how the answer comes back', () => {
  test('by itself over https; without, it is pasted, and that is explained', () => {
    const open = returnWords('ebay', 'https://prices.example.com');
    expect(open.address).toBe('https://prices.example.com/connect/ebay');
    expect(open.told).toMatch(/under your RuName/);
    expect(open.paste).toMatch(/^If you land on a page of eBay instead of here/);
    const near = returnWords('ebay', 'http://127.0.0.1:5000');
    expect(near.told).toBeNull();
    expect(near.paste).toMatch(/^eBay returns to https addresses only/);
    // Etsy is told an address with every call: it has to be one that it knows.
    expect(returnWords('etsy', 'http://127.0.0.1:5000').told).toMatch(/callback URLs/);
  });
});
