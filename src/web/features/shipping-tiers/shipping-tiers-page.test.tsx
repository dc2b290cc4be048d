import { screen, waitFor, within } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Tier, Tiers } from '#contract/tiers.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';
import { tiersFile } from './tier-texts.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  dismissToasts();
});

const tier = (id: string, minWeightOz: number, maxWeightOz: number, over: Partial<Tier> = {}): Tier => ({
  id,
  marketplace: 'walmart',
  fulfillmentType: 'FBM',
  minWeightOz,
  maxWeightOz,
  cost: '3.99',
  ...over,
});
const STORED: Tiers = {
  tiers: [tier('1', 0, 16), tier('2', 16, 48, { cost: '5.99' })],
  gaps: [],
  untiered: [],
};

async function open(tiers: Tiers = STORED, more: Answers = {}, address = '/shipping-tiers') {
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/shipping-tiers': { body: tiers },
    'POST /api/shipping-tiers': { status: 201, body: { tiers: [tier('3', 48, 80)] } },
    'PUT /api/shipping-tiers/2': { body: tier('2', 16, 48) },
    'POST /api/shipping-tiers/delete': { body: { deleted: 2 } },
    ...more,
  });
  const router = renderApp(address);
  await screen.findByRole('heading', { name: 'Shipping Cost Tiers', hidden: true });
  const writes = () => sent.filter(({ call }) => !call.startsWith('GET'));
  return {
    // In jsdom, unlike in browsers, a closed modal dialog blocks the page for a moment.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    writes,
    where: () => router.state.location.href,
  };
}

async function fill(user: ReturnType<typeof userEvent.setup>, values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    const field = screen.getByLabelText(label);
    await user.clear(field);
    await user.paste(text);
  }
}

test('a tier for every marketplace is sent with numbers and a decimal', async () => {
  const { user, writes, where } = await open();
  await user.click(await screen.findByRole('button', { name: 'Add Shipping Tier' }));
  expect(where()).toBe('/shipping-tiers?tier=new');
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Marketplace'), 'all');
  await fill(user, { 'Min Weight (oz)': '48', 'Max Weight (oz)': '80.5', 'Shipping Cost': '$8.9' });
  await user.click(screen.getByRole('button', { name: 'Add tier' }));
  await screen.findByText('Shipping tier added');
  expect(writes()).toEqual([
    {
      call: 'POST /api/shipping-tiers',
      body: {
        marketplace: 'all',
        fulfillmentType: 'FBM',
        minWeightOz: 48,
        maxWeightOz: 80.5,
        cost: '8.90',
      },
    },
  ]);
  expect(where()).toBe('/shipping-tiers');
});

test('a cost from an earlier day shows what it changes on sales so far, and is saved with that day', async () => {
  const { user, writes } = await open(
    STORED,
    { 'POST /api/shipping-tiers/impact': { body: { changed: 214, profitChange: '-96.30', isMore: false } } },
    '/shipping-tiers?tier=2',
  );
  await screen.findByRole('dialog');
  await fill(user, { 'Shipping Cost': '6.99', 'Applies from': '2026-01-05' });
  await screen.findByText('214 sales change: profit \u2212$96.30.');
  await user.click(screen.getByRole('button', { name: 'Save tier' }));
  await screen.findByText('Shipping tier saved');
  const costSince = new Date('2026-01-05T00:00').toISOString();
  const place = { marketplace: 'walmart', fulfillmentType: 'FBM', minWeightOz: 16, maxWeightOz: 48 };
  expect(writes()).toEqual([
    { call: 'POST /api/shipping-tiers/impact', body: { id: '2', ...place, cost: '6.99', costSince } },
    { call: 'PUT /api/shipping-tiers/2', body: { ...place, cost: '6.99', costSince } },
  ]);
});

test.each([
  [
    'an overlap, with both tiers named',
    { 'Min Weight (oz)': '40', 'Max Weight (oz)': '80', 'Shipping Cost': '1' },
    /40\.0 to 80\.0 oz overlaps the tier Walmart FBM, 16\.0 to 48\.0 oz/,
  ],
  [
    'a maximum below the minimum',
    { 'Min Weight (oz)': '80', 'Max Weight (oz)': '60', 'Shipping Cost': '1' },
    /greater than minimum weight/,
  ],
  [
    'a weight finer than the files write it',
    { 'Min Weight (oz)': '48', 'Max Weight (oz)': '60.00025', 'Shipping Cost': '1' },
    /four decimals/,
  ],
  [
    'a negative cost',
    { 'Min Weight (oz)': '48', 'Max Weight (oz)': '60', 'Shipping Cost': '-1' },
    /0\.00 or more/,
  ],
  [
    'a third decimal',
    { 'Min Weight (oz)': '48', 'Max Weight (oz)': '60', 'Shipping Cost': '1.005' },
    /dollars and cents/,
  ],
])('%s is an error at the field and is not sent', async (_, values, message) => {
  const { user, writes } = await open(STORED, {}, '/shipping-tiers?tier=new');
  await screen.findByRole('dialog');
  await fill(user, values);
  await user.click(screen.getByRole('button', { name: 'Add tier' }));
  const text = await screen.findByText(message);
  const field = document.querySelector<HTMLElement>('[aria-invalid="true"]');
  expect(field?.getAttribute('aria-describedby')).toContain(text.id);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(writes()).toEqual([]);
});

test('an overlap is shown as soon as both weights are entered', async () => {
  const { user } = await open(STORED, {}, '/shipping-tiers?tier=new');
  await screen.findByRole('dialog');
  await fill(user, { 'Min Weight (oz)': '40', 'Max Weight (oz)': '80' });
  expect(screen.getByText(/overlaps the tier Walmart FBM, 16\.0 to 48\.0 oz/)).toBeTruthy();
  expect(screen.queryByText(/dollars and cents/)).toBeNull();
});

test('a gap is shown while typing and does not prevent the save', async () => {
  const { user, writes } = await open(STORED, {}, '/shipping-tiers?tier=new');
  await screen.findByRole('dialog');
  const dialog = within(screen.getByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Marketplace'), 'walmart');
  await fill(user, { 'Min Weight (oz)': '50', 'Max Weight (oz)': '60', 'Shipping Cost': '1' });
  expect(dialog.getByRole('status').textContent).toContain('Walmart FBM, 48.0 to 50.0 oz');
  await user.click(screen.getByRole('button', { name: 'Add tier' }));
  await waitFor(() => expect(writes()).toHaveLength(1));
});

test('editing starts with the stored values; a server error stays in the dialog with the input', async () => {
  const { user } = await open(STORED, {
    'PUT /api/shipping-tiers/2': refusal(409, 'conflict', '16 to 50 oz overlaps the tier 48 to 80 oz.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit Walmart FBM, 16.0 to 48.0 oz' }));
  expect(screen.getByLabelText<HTMLInputElement>('Shipping Cost').value).toBe('5.99');
  await fill(user, { 'Max Weight (oz)': '50' });
  await user.click(screen.getByRole('button', { name: 'Save tier' }));
  expect((await screen.findByRole('alert')).textContent).toContain('overlaps the tier 48 to 80 oz');
  expect(screen.getByLabelText<HTMLInputElement>('Max Weight (oz)').value).toBe('50');
});

test('deleting asks with names and count, and Undo restores the tiers', async () => {
  const { user, writes } = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 2 shipping tiers?' }));
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Walmart FBM, 0.0 to 16.0 oz',
    'Walmart FBM, 16.0 to 48.0 oz',
  ]);
  await user.click(dialog.getByRole('button', { name: 'Delete tiers' }));
  await screen.findByText('Tiers Deleted');
  expect(writes()).toEqual([{ call: 'POST /api/shipping-tiers/delete', body: { ids: ['1', '2'] } }]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Tiers restored');
  expect(
    writes()
      .slice(1)
      .map(({ body }) => body),
  ).toEqual(STORED.tiers.map(({ id: _, ...rest }) => rest));
});

test('the export contains only the selected tiers, and shows their number', async () => {
  const { user } = await open();
  const files: Blob[] = [];
  const names: string[] = [];
  class SavingUrl extends URL {
    static override createObjectURL = (file: Blob): string => `blob:${files.push(file)}`;
    static override revokeObjectURL = (): undefined => undefined;
  }
  vi.stubGlobal('URL', SavingUrl);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const [, , second] = await screen.findAllByRole('checkbox');
  await user.click(second as HTMLElement);
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }));
  await user.click(bar.getByRole('button', { name: 'Export' }));
  const title = await screen.findByText('Export Started');
  expect(title.nextElementSibling?.textContent).toBe('Exporting 1 shipping tier(s)...');
  expect(names).toEqual(['shipping-tiers.csv']);
  expect(files.map(({ size }) => size)).toEqual([tiersFile(STORED.tiers.slice(1)).length]);
});

test('listings without a tier lead to a dialog that starts where the last tier ends', async () => {
  const { user } = await open({
    ...STORED,
    untiered: [
      { marketplace: 'walmart', fulfillmentType: 'FBM', listings: 40, lightestOz: 60, heaviestOz: 132 },
    ],
  });
  await screen.findByText('40 listings have no tier for their weight');
  await user.click(screen.getByRole('button', { name: 'Add tier for Walmart FBM' }));
  expect(screen.getByLabelText<HTMLInputElement>('Min Weight (oz)').value).toBe('48');
});

test('without tiers the page says what they are for and offers two ways to add them', async () => {
  const { user } = await open({ tiers: [], gaps: [], untiered: [] });
  await screen.findByRole('heading', { name: 'No shipping tiers yet' });
  const [link] = screen.getAllByRole<HTMLAnchorElement>('link', { name: 'Import from CSV' });
  expect(link?.getAttribute('href')).toBe('/imports/new?kind=tiers');
  await user.click(screen.getByRole('button', { name: 'Add the first tier' }));
  const minimum = await screen.findByLabelText<HTMLInputElement>('Min Weight (oz)');
  expect(minimum.value).toBe('0');
});
