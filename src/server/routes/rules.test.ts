import { asc, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { dueListings } from '#db/schema/due-listings.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { repricingRuleMargins } from '#db/schema/rules.ts';
import { aToken, callWith } from '#tests/support/api-tokens.ts';
import { aReadyUser } from '#tests/support/people.ts';
import { addListing, addOffer, addRule, addSku, declareSeller, setLive } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const FORM = { name: 'Beat them', fulfillmentType: 'All', strategy: 'Beat Competitor', minimumMargin: '15' };

async function send(method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  return shop.post(url, payload, { method, headers: { cookie } });
}
const list = async () => (await shop.get('/api/rules', cookie)).json().rules;
const takeDue = async (): Promise<number[]> => {
  const rows = await shop.db.delete(dueListings).returning({ id: dueListings.listingId });
  return rows.map(({ id }) => id).sort((a, b) => a - b);
};
const audit = async () => {
  const rows = await shop.db.select().from(auditLog).orderBy(asc(auditLog.id));
  return rows.filter(({ action }) => action.startsWith('rule.'));
};

test('the list says where the store is, for what hours and days of rules mean', async () => {
  const zone = async () => (await shop.get('/api/rules', cookie)).json().timeZone;
  expect(await zone()).toBeNull();
  await shop.db.execute("UPDATE app_settings SET time_zone = 'America/New_York'");
  expect(await zone()).toBe('America/New_York');
});

describe('a new rule', () => {
  test('is stored with all its options and listed with them', async () => {
    const options = {
      marketplace: 'amazon',
      marketplaceMargins: { amazon: '12.5', ebay: '0' },
      competitorOffset: '-0.05',
      isActive: false,
      requiresReview: true,
      noCompetitor: 'ceiling',
      belowFloor: 'skip',
      otherChannels: true,
      refuseCrossChannel: true,
      filter: {
        minRating: '90',
        minRatingCount: 50,
        maxHandlingDays: 3,
        ignoreSellers: [' Pirate Bob ', 'PIRATE BOB'],
        fulfillmentType: 'FBM',
      },
    };
    const answer = await send('POST', '/api/rules', { ...FORM, ...options });
    expect(answer.statusCode).toBe(201);
    const [rule] = await list();
    expect(rule).toMatchObject({
      ...FORM,
      ...options,
      minimumMargin: '15.00',
      marketplaceMargins: { amazon: '12.50', ebay: '0.00' },
      filter: { ...options.filter, minRating: '90.00', ignoreSellers: ['pirate bob'] },
      version: 1,
    });
    const { appliedTo, ownListings, decidedBy, atMarginFloor, knownFloors, changesInDay, ...stored } = rule;
    expect(answer.json()).toEqual(stored);
    expect([appliedTo, ownListings, atMarginFloor, knownFloors, changesInDay]).toEqual([0, 0, 0, 0, 0]);
    expect(decidedBy).toEqual({ lines: [], noLine: 0, notRead: 0, blocked: 0, unknown: 0 });
  });

  test('has lines, stored as they are printed, and refuses those that cannot work', async () => {
    const terms = {
      targetMargin: '35',
      marketplaceTargets: { ebay: '20' },
      winShare: '40',
      ignoreUnderFloor: '10',
    };
    const lines = 'Alone : Target Margin; winning: hold;4% under the lowest, else next line';
    const answer = await send('POST', '/api/rules', { ...FORM, ...terms, lines });
    expect(answer.statusCode).toBe(201);
    expect((await list())[0]).toMatchObject({
      lines: 'alone: target margin\nwinning: hold\notherwise: 4% under the lowest, else next line',
      targetMargin: '35.00',
      marketplaceTargets: { ebay: '20.00' },
      winShare: '40.00',
      ignoreUnderFloor: '10.00',
      onlySameShipping: false,
    });
    expect((await audit())[0]?.after).toMatchObject({ targetMargin: '35.00', winShare: '40.00' });
    const { id, version } = answer.json();
    const edited = await send('PUT', `/api/rules/${id}`, { ...FORM, version, lines: ' ' });
    expect(edited.json()).toMatchObject({ lines: null, targetMargin: null, marketplaceTargets: {} });
    const timed = await send('POST', '/api/rules/preview', {
      id: null,
      rule: { ...FORM, lines: 'winning: hold; hours 2 to 6: own price' },
    });
    expect(timed.statusCode).toBe(200);
    const asking = await send('POST', '/api/rules', {
      ...FORM,
      name: 'Asks',
      lines: [
        'competitors follow 50% or more: own price',
        'stock age 181 days or more: 5% under external price',
        'stock 5 or less: price of SKU "MUG-2" on amazon',
        'learned price',
        'otherwise: floor',
      ].join('\n'),
    });
    expect(asking.statusCode).toBe(201);
    for (const [text, message] of [
      ['winning: hold\nlosing: $1 abov box', /^Line 2, character 12, "abov"/],
      ['alone: target margin', /^Line 1 asks for the target margin/],
      ['lowered 6 times or more in 24 h: hold', /^Line 1 waits until/],
      ['floor, ask first; learned price', /^Line 2 needs the learned price/],
      ['raise 1% every 24 h up to learned price; floor', /^Line 1 needs the learned price/],
    ] as const) {
      for (const [url, body] of [
        ['/api/rules', { ...FORM, name: 'Other', lines: text }],
        ['/api/rules/preview', { id: null, rule: { ...FORM, lines: text } }],
      ] as const) {
        const refused = await send('POST', url, body);
        expect(refused.statusCode).toBe(400);
        expect(Object.values(refused.json().fields)).toEqual([expect.stringMatching(message)]);
      }
    }
  });

  test('keeps and shows lines that are not understood, and does not go back to its strategy', async () => {
    const { id, version } = (await send('POST', '/api/rules', FORM)).json();
    const text = 'winning: whistle';
    await shop.db.execute(sql`UPDATE repricing_rules SET lines = ${text} WHERE id = ${id}`);
    const [shown] = await list();
    expect(shown).toMatchObject({ lines: text });
    const saved = await send('PUT', `/api/rules/${id}`, { ...FORM, version, lines: shown?.lines });
    expect(saved.statusCode).toBe(400);
    expect(saved.json().fields).toMatchObject({
      lines: expect.stringMatching(/^Line 1, character 10, "whistle"/),
    });
  });

  test('has the defaults of the product, marks its listings as due and is logged', async () => {
    const listing = await addListing(shop.db, 'A-1');
    await takeDue();
    const { id } = (await send('POST', '/api/rules', FORM)).json();
    expect(await takeDue()).toEqual([listing]);
    expect((await list())[0]).toMatchObject({
      isActive: true,
      requiresReview: false,
      noCompetitor: 'keep',
      belowFloor: 'floor',
      otherChannels: false,
      refuseCrossChannel: false,
      marketplace: null,
      competitorOffset: null,
      marketplaceMargins: {},
      filter: { minRating: null, minRatingCount: null, maxHandlingDays: null, ignoreSellers: [] },
      lines: null,
      winShare: '50.00',
      onlySameShipping: true,
    });
    expect(await audit()).toMatchObject([
      {
        action: 'rule.created',
        actor: 'boss@example.com',
        targetKind: 'rule',
        targetId: id,
        before: null,
        after: { name: 'Beat them', minimumMargin: '15.00' },
      },
    ]);
  });

  test('an invalid value is refused at its field', async () => {
    for (const [field, over, message] of [
      ['name', { name: '  ' }, 'Give the rule a name'],
      ['minimumMargin', { minimumMargin: '100' }, 'Enter a percentage from 0 to 99.99'],
      ['minimumMargin', { minimumMargin: 'lots' }, 'Enter a percentage from 0 to 99.99'],
      ['minimumMargin', { minimumMargin: '-1' }, 'Enter a percentage from 0 to 99.99'],
      ['competitorOffset', { competitorOffset: '1.234' }, 'Enter an amount such as 19.99'],
      ['strategy', { strategy: 'Dump' }, /^Strategy must be one of Match Competitor/],
      [
        'marketplaceMargins.ebay',
        { marketplaceMargins: { ebay: 'x' } },
        'Enter a percentage from 0 to 99.99',
      ],
      ['filter.minRating', { filter: { minRating: '101' } }, 'Enter a percentage from 0 to 100'],
      [
        'filter.maxHandlingDays',
        { filter: { maxHandlingDays: -1 } },
        'Expected a whole number of days, from 0',
      ],
    ] as const) {
      const answer = await send('POST', '/api/rules', { ...FORM, ...over });
      expect(answer.statusCode, field).toBe(400);
      expect(answer.json().fields, field).toEqual({
        [field]: typeof message === 'string' ? message : expect.stringMatching(message),
      });
      expect(await list()).toEqual([]);
    }
  });

  test('may not have the name of an existing one, in any case of letters', async () => {
    const { id } = (await send('POST', '/api/rules', FORM)).json();
    const taken = await send('POST', '/api/rules', { ...FORM, name: ' BEAT them' });
    expect(taken.statusCode).toBe(400);
    expect(taken.json().fields).toEqual({ name: 'Another rule is named "BEAT them"' });
    await send('DELETE', `/api/rules/${id}`);
    expect((await send('POST', '/api/rules', FORM)).statusCode).toBe(201);
  });
});

describe('an edit', () => {
  test('replaces the rule and its margins and marks what it touches as due', async () => {
    const walmart = await addListing(shop.db, 'A-1');
    const ebay = await addListing(shop.db, 'A-1', { marketplace: 'ebay' });
    const form = { ...FORM, marketplace: 'walmart', marketplaceMargins: { walmart: '20' } };
    const { id } = (await send('POST', '/api/rules', form)).json();
    await takeDue();
    const margins = { walmart: '25' };
    const edited = await send('PUT', `/api/rules/${id}`, {
      ...form,
      marketplaceMargins: margins,
      version: 1,
    });
    expect(edited.json()).toMatchObject({ version: 2, marketplaceMargins: { walmart: '25.00' } });
    expect(await takeDue()).toEqual([walmart]);
    expect(await shop.db.select().from(repricingRuleMargins)).toMatchObject([{ minimumMargin: 2_500 }]);
    await send('PUT', `/api/rules/${id}`, { ...FORM, marketplace: 'ebay', version: 2 });
    expect(await takeDue()).toEqual([walmart, ebay]);
    expect(await shop.db.select().from(repricingRuleMargins)).toEqual([]);
    expect((await audit()).map(({ action }) => action)).toEqual([
      'rule.created',
      'rule.edited',
      'rule.edited',
    ]);
  });

  test('of an outdated version is refused and changes nothing', async () => {
    const { id } = (await send('POST', '/api/rules', FORM)).json();
    await send('PUT', `/api/rules/${id}`, { ...FORM, minimumMargin: '20', version: 1 });
    const late = await send('PUT', `/api/rules/${id}`, { ...FORM, minimumMargin: '1', version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json().fields).toEqual({
      version: 'This rule was changed after you opened it (boss@example.com, just now).',
    });
    expect((await list())[0]).toMatchObject({ minimumMargin: '20.00', version: 2 });
  });

  test('of a deleted rule reports that, and does not reserve its name', async () => {
    expect((await send('PUT', '/api/rules/77', { ...FORM, version: 1 })).statusCode).toBe(404);
    const { id } = (await send('POST', '/api/rules', FORM)).json();
    expect((await send('PUT', `/api/rules/${id}`, { ...FORM, version: 1 })).statusCode).toBe(200);
  });
});

describe('the scope of a rule', () => {
  const scope = {
    segment: {
      marketplaces: ['etsy', 'amazon'],
      brands: ['Acme'],
      tags: ['summer', 'sale'],
      ownPrice: { from: '10', to: null },
      listedDays: { from: 3, to: 30 },
      cost: { from: null, to: null },
    },
    priority: 7,
    schedule: { activeFrom: '2026-11-20', windows: ['Mon-Fri 8:00-18:00', 'sat 22:00-04:00'] },
  };
  const shown = {
    segment: {
      marketplaces: ['amazon', 'etsy'],
      brands: ['Acme'],
      categories: [],
      tags: ['summer', 'sale'],
      suppliers: [],
      ownPrice: { from: '10.00', to: null },
      cost: null,
      listedDays: { from: 3, to: 30 },
      stockAgeDays: null,
      stock: null,
    },
    priority: 7,
    schedule: {
      activeFrom: '2026-11-20',
      activeUntil: null,
      windows: ['mon-fri 08:00-18:00', 'sat 22:00-04:00'],
    },
  };

  test('is stored, listed and logged, sent back unchanged, and cleared by a save without it', async () => {
    const created = await send('POST', '/api/rules', { ...FORM, ...scope });
    expect(created.json()).toMatchObject({ marketplace: null, ...shown });
    const { id } = created.json();
    expect((await list())[0]).toMatchObject(shown);
    expect((await audit())[0]?.after).toMatchObject(shown);
    const again = await send('PUT', `/api/rules/${id}`, { ...FORM, ...shown, version: 1 });
    expect(again.json()).toMatchObject(shown);
    await send('PUT', `/api/rules/${id}`, { ...FORM, version: 2 });
    expect((await list())[0]).toMatchObject({ priority: null, schedule: null, segment: { brands: [] } });
  });

  test('of one marketplace is that marketplace', async () => {
    const { segment, marketplace } = (
      await send('POST', '/api/rules', { ...FORM, segment: { marketplaces: ['etsy'] } })
    ).json();
    expect([marketplace, segment.marketplaces]).toEqual(['etsy', []]);
  });

  test.each([
    ['priority', { priority: 1_000 }],
    ['segment.ownPrice.to', { segment: { ownPrice: { from: '10', to: '9.99' } } }],
    ['segment.brands.0', { segment: { brands: ['A|B'] } }],
    ['schedule.windows.0', { schedule: { windows: ['mon-fri 08:00'] } }],
    ['schedule.activeUntil', { schedule: { activeFrom: '2026-11-20', activeUntil: '2026-11-20' } }],
  ])('is refused at %s', async (field, part) => {
    const answer = await send('POST', '/api/rules', { ...FORM, ...part });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json().fields)).toEqual([field]);
    expect(await list()).toEqual([]);
  });
});

test('the scope of a draft is counted over the listings, and changes nothing', async () => {
  const id = await addRule(shop.db, { name: 'Everything' });
  for (const sku of ['A-1', 'A-2']) await addSku(shop.db, sku, { brand: 'Acme' });
  await addListing(shop.db, 'A-1');
  await addListing(shop.db, 'A-2', { ruleId: id });
  await addListing(shop.db, 'B-1');
  const draft = {
    id: null,
    rule: {
      fulfillmentType: 'All',
      segment: { brands: ['Acme'], ownPrice: { from: '10.00', to: '50.00' } },
      schedule: { windows: ['mon-fri 08:00-18:00'] },
    },
  };
  const answer = await send('POST', '/api/rules/scope', draft);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      matching: 2,
      deciding: 1,
      own: 0,
      others: [{ rule: { id: String(id), name: 'Everything' }, listings: 1, because: 'assigned' }],
      appliesNow: true,
    },
  ]);
  expect(await list()).toHaveLength(1);
});

describe('switching', () => {
  test('names the rules that were changed, so that Undo reverts no more', async () => {
    const on = await addRule(shop.db, { name: 'On' });
    const off = await addRule(shop.db, { name: 'Off', isActive: false });
    const ids = [String(on), String(off)];
    const answer = await send('POST', '/api/rules/active', { ids, isActive: false });
    expect(answer.json()).toEqual({ ids: [String(on)] });
    expect((await list()).map((rule: { isActive: boolean }) => rule.isActive)).toEqual([false, false]);
    expect((await send('PUT', `/api/rules/${on}/active`, { isActive: true })).json()).toEqual({
      ids: [String(on)],
    });
    expect((await list())[0]).toMatchObject({ isActive: true, version: 3 });
    expect((await audit()).map(({ action, targetId }) => [action, targetId])).toEqual([
      ['rule.disabled', String(on)],
      ['rule.enabled', String(on)],
    ]);
  });

  test('a deleted rule is reported', async () => {
    expect((await send('PUT', '/api/rules/77/active', { isActive: true })).statusCode).toBe(404);
  });
});

describe('deleting', () => {
  test('shows which listings go to which rule, and Undo restores everything', async () => {
    const walmart = await addRule(shop.db, { name: 'Walmart', marketplace: 'walmart' });
    const all = await addRule(shop.db, { name: 'All', fulfillmentType: 'FBM' });
    const own = await addListing(shop.db, 'A-1', { ruleId: walmart });
    await addListing(shop.db, 'A-2');
    await addListing(shop.db, 'A-3', { fulfillmentType: 'FBA/WFS' });
    await addListing(shop.db, 'A-4', { fulfillmentType: 'FBA/WFS' });
    await addListing(shop.db, 'A-5', { marketplace: 'ebay' });
    const impact = {
      listings: 4,
      own: 1,
      newRules: [
        { rule: null, listings: 2 },
        { rule: { id: String(all), name: 'All' }, listings: 1 },
      ],
    };
    const requested = await send('POST', '/api/rules/impact', { ids: [String(walmart)] });
    expect(requested.json()).toEqual(impact);
    await takeDue();
    const deleted = await send('DELETE', `/api/rules/${walmart}`);
    expect(deleted.json()).toEqual({ ids: [String(walmart)], impact });
    expect((await takeDue()).length).toBe(4);
    expect((await list()).map((rule: { name: string }) => rule.name)).toEqual(['All']);
    expect((await send('DELETE', `/api/rules/${walmart}`)).statusCode).toBe(404);
    expect((await send('POST', '/api/rules/undelete', { ids: [String(walmart)] })).json()).toEqual({
      ids: [String(walmart)],
    });
    expect((await list())[0]).toMatchObject({ id: String(walmart), ownListings: 1 });
    expect(await takeDue()).toContain(own);
    expect((await audit()).map(({ action }) => action)).toEqual(['rule.deleted', 'rule.restored']);
  });

  test('several at the same time lose their listings to the remaining rules, never to each other', async () => {
    const first = await addRule(shop.db, { name: 'First' });
    const second = await addRule(shop.db, { name: 'Second' });
    const third = await addRule(shop.db, { name: 'Third' });
    await addListing(shop.db, 'A-1');
    const ids = [String(first), String(second)];
    const { impact } = (await send('POST', '/api/rules/delete', { ids })).json();
    expect(impact).toEqual({
      listings: 1,
      own: 0,
      newRules: [{ rule: { id: String(third), name: 'Third' }, listings: 1 }],
    });
  });

  test('is not undone when a new rule has the same name', async () => {
    const { id } = (await send('POST', '/api/rules', FORM)).json();
    await send('DELETE', `/api/rules/${id}`);
    await send('POST', '/api/rules', { ...FORM, name: 'beat THEM' });
    const undo = await send('POST', '/api/rules/undelete', { ids: [id] });
    expect(undo.statusCode).toBe(409);
    expect(undo.json().message).toContain('Another rule is now named "Beat them".');
    expect(await list()).toHaveLength(1);
  });
});

test('"applied to" counts the listings that the rule decided last, without deleted ones', async () => {
  const rule = await addRule(shop.db);
  const now = shop.deps.now();
  for (const sku of ['A-1', 'A-2', 'A-3']) {
    const listingId = await addListing(shop.db, sku);
    await shop.db
      .insert(listingMetrics)
      .values({ listingId, ruleId: sku === 'A-3' ? null : rule, decidedAt: now });
  }
  expect((await list())[0]).toMatchObject({ appliedTo: 2 });
  await shop.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE sku = 'A-2'`);
  expect((await list())[0]).toMatchObject({ appliedTo: 1 });
});

test('a preview shows the effect, changes nothing, and its token protects the save', async () => {
  await addSku(shop.db, 'A-1');
  const listing = await addListing(shop.db, 'A-1');
  await addOffer(shop.db, listing, 18, { seenAt: shop.deps.now() });
  await declareSeller(shop.db, 'walmart');
  await takeDue();
  const seen = await send('POST', '/api/rules/preview', { id: null, rule: FORM });
  expect(seen.json()).toMatchObject({
    listings: 1,
    changes: 1,
    lowered: 1,
    moves: [{ listingId: String(listing), oldPrice: '20.00', newPrice: '17.99', marginAfter: '29.41' }],
  });
  expect([await list(), await takeDue(), await audit()]).toEqual([[], [], []]);
  await shop.db.execute(sql`UPDATE skus SET product_cost = 15`);
  const { token } = seen.json();
  const late = await send('POST', '/api/rules', { ...FORM, previewToken: token });
  expect([late.statusCode, Object.keys(late.json().fields)]).toEqual([409, ['previewToken']]);
  await shop.db.execute(sql`UPDATE skus SET product_cost = 10`);
  expect((await send('POST', '/api/rules', { ...FORM, previewToken: token })).statusCode).toBe(201);
});

test('what a preview showed is reviewed when an administrator saves it with a recent password, and by no other save', async () => {
  await addSku(shop.db, 'A-1');
  const listing = await addListing(shop.db, 'A-1');
  await addOffer(shop.db, listing, 18, { seenAt: shop.deps.now() });
  await declareSeller(shop.db, 'walmart');
  await setLive(shop.db, 'walmart');
  await aReadyUser(shop, 'ann@example.com');
  const token = await aToken(shop, 'boss@example.com');
  const { token: previewToken } = (await send('POST', '/api/rules/preview', { id: null, rule: FORM })).json();
  const form = { ...FORM, previewToken };
  const reviewer = async () => {
    const { rows } = await shop.db.execute(
      sql`SELECT reviewed_by FROM repricing_state WHERE reviewed_plan IS NOT NULL`,
    );
    await shop.db.execute(
      sql`UPDATE repricing_state SET reviewed_plan = NULL, reviewed_by = NULL, reviewed_at = NULL`,
    );
    await shop.db.execute(sql`UPDATE repricing_rules SET deleted_at = now()`);
    return rows;
  };
  const asAnn = { headers: { cookie: await shop.logIn('ann@example.com') } };
  expect((await shop.post('/api/rules', form, asAnn)).statusCode).toBe(201);
  expect(await reviewer()).toEqual([]);
  expect((await callWith(shop, token, 'POST', '/api/rules', { payload: form })).statusCode).toBe(201);
  expect(await reviewer()).toEqual([]);
  expect((await send('POST', '/api/rules', form)).statusCode).toBe(201);
  expect(await reviewer()).toMatchObject([{ reviewed_by: expect.stringContaining('boss') }]);
  shop.advance(11 * 60_000);
  expect((await send('POST', '/api/rules', form)).statusCode).toBe(201);
  expect(await reviewer()).toEqual([]);
});

test('the lines of a draft are traced for one listing', async () => {
  await addSku(shop.db, 'A-1');
  const listing = await addListing(shop.db, 'A-1');
  await addOffer(shop.db, listing, 18, { seenAt: shop.deps.now() });
  await declareSeller(shop.db, 'walmart');
  const lines =
    'winning: hold; stock 5 or less: floor; $9.00 under the lowest, else next line; own price; floor';
  const explain = (over: object, listingId = String(listing)) =>
    send('POST', '/api/rules/explain', { id: null, rule: { ...FORM, ...over }, listingId });
  const { isPriced, otherRule, situation, ...trace } = (await explain({ lines })).json();
  expect({ isPriced, otherRule, situation }).toEqual({
    isPriced: true,
    otherRule: null,
    situation: 'losing',
  });
  expect(trace.listing).toMatchObject({ listingId: String(listing), outcome: 'keep', line: 4 });
  expect(trace.lines).toMatchObject([
    { line: 1, text: 'winning: hold', status: 'condition', condition: 'winning', value: 'losing' },
    { line: 2, status: 'unknown', condition: 'stock 5 or less', value: null },
    { line: 3, status: 'too_low', want: '9.00', least: '14.29' },
    { line: 4, text: 'own price', status: 'decided', want: '20.00' },
    { line: 5, text: 'otherwise: floor', status: 'not_asked', want: null },
  ]);
  const other = (await send('POST', '/api/rules', { ...FORM, marketplace: 'walmart' })).json();
  expect((await explain({ lines })).json()).toMatchObject({
    isPriced: false,
    otherRule: { id: other.id, name: 'Beat them' },
    lines: [],
  });
  expect((await explain({ lines }, '999')).statusCode).toBe(404);
  expect((await explain({ lines: 'winning: whistle' })).statusCode).toBe(400);
});

test('the history of a deleted rule stays: its row is only marked', async () => {
  const { id } = (await send('POST', '/api/rules', FORM)).json();
  await send('DELETE', `/api/rules/${id}`);
  const { rows } = await shop.db.execute(sql`SELECT deleted_at IS NOT NULL AS deleted FROM repricing_rules`);
  expect(rows).toEqual([{ deleted: true }]);
  const [act] = await shop.db.select().from(auditLog).where(eq(auditLog.action, 'rule.deleted'));
  expect(act).toMatchObject({ targetId: id, before: { name: 'Beat them' }, after: null });
});
