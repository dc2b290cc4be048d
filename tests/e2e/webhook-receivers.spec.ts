import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';

/* A program of the seller on this machine, which gets signed events while Pricewright is reachable from here alone. */

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
let receiver: Server;
let address: string;
test.beforeEach(async () => {
  received.length = 0;
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    received.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
});
test.afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

/** By Standard Webhooks 1.0: HMAC-SHA256 over id, time and body with the decoded secret. */
function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

const typesOf = (all: readonly Received[]): string[] => all.map(({ body }) => JSON.parse(body).type);

test(
  'a receiver gets its secret once, then signed events and a test, and is deleted',
  BREADTH,
  async ({ provenPage: page }) => {
    await page.goto('/settings#webhooks');
    const section = page.getByRole('region', { name: 'Webhooks' });
    await section.getByRole('button', { name: 'New receiver...' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Warehouse');
    await dialog.getByLabel('Address').fill(address);
    for (const event of ['Repricing was halted', 'Repricing was resumed'])
      await dialog.getByRole('checkbox', { name: event }).check();
    await expectAccessible(page, '[role="dialog"]');
    await dialog.getByRole('button', { name: 'Add receiver' }).click();
    const shown = page.getByRole('dialog').locator('code');
    await expect(shown).toHaveText(/^whsec_/);
    await expect(shown).toBeFocused();
    await expectAccessible(page, '[role="dialog"]');
    const secret = (await shown.textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(section.getByRole('row', { name: /Warehouse/ })).toBeVisible();
    await expect(page.getByText(secret)).toHaveCount(0);

    const halt = page.getByRole('button', { name: 'Halt repricing' });
    await halt.click();
    await page.getByRole('button', { name: 'Resume repricing' }).click();
    // Where an earlier journey made a marketplace live, what it would change is reviewed first.
    const reviewed = page.getByRole('button', { name: /^Resume:/ });
    await expect(halt.or(reviewed)).toBeVisible();
    if (await reviewed.isVisible()) await reviewed.click();
    await expect(halt).toBeVisible();
    await expect.poll(() => typesOf(received).toSorted()).toEqual(['repricing.halted', 'repricing.resumed']);

    await section.getByRole('button', { name: 'Deliveries to Warehouse' }).click();
    const log = page.getByRole('dialog', { name: 'Deliveries to Warehouse' });
    await log.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(() => typesOf(received)).toContain('test');
    await expect(log.getByRole('row', { name: /^test .*Delivered/ })).toBeVisible();
    await expectAccessible(page, '[role="dialog"]');
    expect(received.map((one) => isSignedWith(secret, one))).toEqual([true, true, true]);
    // Not by Escape, which closes the toast of the queued test first.
    await log.getByRole('button', { name: 'Close' }).first().click();
    await expect(log).toBeHidden();

    await section.getByRole('button', { name: 'Delete Warehouse' }).click();
    await page.getByRole('button', { name: 'Delete receiver' }).click();
    await expect(section.getByText(/^No webhook receivers yet/)).toBeVisible();
  },
);
