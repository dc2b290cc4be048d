import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { runCommand } from '#tests/support/memory-io.ts';

const HEADER = 'name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive';
const BEAT = `${HEADER}\nBeat,,All,Beat Competitor,10,0.05,true\n`;
const byLines = (lines: string): string =>
  `${HEADER},lines,targetMargin\nLines,,All,Fixed Margin,15,,true,"${lines}",35\n`;

/** A listing on Amazon that costs 10.00 and is asked for at 20.00. */
const LISTING = {
  t: '2026-11-21T12:00:00Z',
  listingId: 'A-1',
  marketplace: 'amazon',
  fulfillment: 'FBM',
  cost: 10,
  feeRate: 0.15,
  currentPrice: 20,
  competitors: [{ id: 'Acme', price: 19.99, fulfillment: 'FBM' }],
};

type Answer = Record<string, unknown>;

async function decide(
  rules: string,
  observations: readonly unknown[],
  ...args: string[]
): Promise<{ readonly code: number; readonly errors: string; readonly answers: readonly Answer[] }> {
  const lines = observations.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const { code, out, errors } = await runCommand(['policy', '--rules', 'rules.csv', ...args], {
    files: { 'rules.csv': rules, '-': lines.join('\n') },
  });
  const answers: Answer[] = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { code, errors, answers };
}

async function decideOne(rules: string, observation: object, ...args: string[]): Promise<Answer> {
  const { answers, code } = await decide(rules, [observation], ...args);
  expect(code).toBe(0);
  expect(answers).toHaveLength(1);
  return answers[0] as Answer;
}

describe('a decision', () => {
  test('of a strategy has its price in dollars, its reason and the margin floor', async () => {
    expect(await decideOne(BEAT, LISTING)).toMatchObject({
      listingId: 'A-1',
      outcome: 'change',
      price: 19.94,
      reasonCode: 'beaten',
      rule: 'Beat',
      line: null,
      situation: null,
      floor: 13.34,
    });
  });

  test('is the one that docs/rules.md shows', async () => {
    const doc = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
    const [, question = '', answer = ''] = /```text\n(\{"t".*)\n(\{.*)\n```/.exec(doc) ?? [];
    const { lines } = RULE_TEMPLATES.find(({ name }) => name === 'Win and hold') ?? { lines: '' };
    const shown = JSON.parse(answer.replace(', "reason": "..."', '').replace(', "state": {...}', ''));
    const rules = byLines(lines).replace('\nLines,', '\nWin and hold,');
    expect(await decideOne(rules, JSON.parse(question))).toMatchObject(shown);
  });

  test('of lines has the line and the situation', async () => {
    const rules = byLines('winning: hold; 4% under the lowest (12% under faster)');
    expect(await decideOne(rules, LISTING)).toMatchObject({ price: 19.19, line: 2, situation: 'losing' });
    const competitors = [{ id: 'Acme', price: 24.99, fulfilment: 'FBA' }];
    const buyBox = { price: 24.99, sellerId: 'Acme' };
    expect(await decideOne(rules, { ...LISTING, competitors, buyBox })).toMatchObject({ price: 21.99 });
    expect(await decideOne(rules, { ...LISTING, buyBox: { isMine: true, price: 20 } })).toMatchObject({
      outcome: 'keep',
      price: 20,
      line: 1,
      situation: 'winning',
    });
  });

  test.each([
    ['not read without competitors', 'alone: ceiling', { competitors: null }, 'not_read'],
    ['not read after a day', 'alone: ceiling', { readAt: '2026-11-20T11:59:00Z' }, 'not_read'],
    ['alone where none were read', 'alone: margin 30%', { competitors: [] }, 'line'],
    ['a share of the buy box', 'box share 20% or more: floor', { buyBox: { myShare: 0.2 } }, 'line'],
    ['no one holds the buy box', 'suppressed: floor', { buyBox: { isSuppressed: true } }, 'line'],
    ['an external price', 'external price; hold', { externalPrice: 21 }, 'line'],
    [
      'an old external price',
      'external price',
      { externalPrice: 21, externalPriceAt: '2025-11-01T00:00:00Z' },
      'no_line',
    ],
    [
      'a sister listing',
      'price of SKU ""B"" on ebay',
      { sisters: [{ sku: 'B', marketplace: 'ebay', price: 21 }] },
      'line',
    ],
    ['competitors that follow', 'competitors follow 50% or more: ceiling', { followShare: 0.5 }, 'line'],
    ['stock', 'stock 5 or less: ceiling', { stock: 5 }, 'line'],
    ['sales', 'sold 1 or less in 7 days: floor', { sold: { d1: 0, d7: 1, d30: 4 } }, 'line'],
    ['the last sale', 'no sale for 30 days: floor', { lastSaleAt: '2026-10-20' }, 'line'],
    ['the featured price', 'featured price', { featuredPrice: 18.75 }, 'line'],
    ['our price elsewhere', 'my ebay price', { elsewhere: [{ marketplace: 'ebay', price: 19 }] }, 'line'],
    ['the own price', 'own price', { ownPrice: 21 }, 'line'],
    [
      'local time',
      'hours 22 to 4: floor',
      { local: { minuteOfDay: 0, weekday: 1, day: '2026-11-23' } },
      'line',
    ],
  ])('is made from %s', async (_what, lines, facts, reasonCode) => {
    expect(await decideOne(byLines(lines), { ...LISTING, ...facts })).toMatchObject({ reasonCode });
  });

  test('knows the time of day where the shop is', async () => {
    const rules = byLines('hours 7 to 8: floor');
    expect(await decideOne(rules, LISTING)).toMatchObject({ reasonCode: 'no_line' });
    const zone = ['--time-zone', 'America/New_York'];
    expect(await decideOne(rules, LISTING, ...zone)).toMatchObject({ line: 1 });
  });

  test.each([
    ['ours, and nothing else is shown', { competitors: null, buyBox: { isMine: true } }, 'winning'],
    [
      'ours by its share, and nothing else is shown',
      { competitors: null, buyBox: { myShare: 0.6 } },
      'winning',
    ],
    ['of another', { competitors: null, buyBox: { price: 21, sellerId: 'Acme' } }, 'losing'],
    ['of another, without a price', { competitors: null, buyBox: { sellerId: 'Acme' } }, 'losing'],
    ['of another next to an empty list', { competitors: [], buyBox: { sellerId: 'Acme' } }, 'losing'],
    ['of no one', { competitors: null, buyBox: { isSuppressed: true } }, 'suppressed'],
    ['reported without anything', { competitors: null, buyBox: {} }, 'not_read'],
    ['ours, and the list is empty', { competitors: [], buyBox: { isMine: true } }, 'alone'],
  ])('knows the situation from a buy box %s', async (_what, facts, situation) => {
    const rules = byLines('alone: ceiling; 4% under the lowest');
    expect(await decideOne(rules, { ...LISTING, ...facts })).toMatchObject({ situation });
  });

  test('never leaves the minimum margin, MAP and own limits', async () => {
    const competitors = [{ id: 'Acme', price: 5 }];
    const at = (facts: object) => decideOne(BEAT, { ...LISTING, competitors, currentPrice: 14, ...facts });
    expect(await at({})).toMatchObject({ price: 13.34 });
    expect(await at({ mapPrice: 13.5 })).toMatchObject({ price: 13.5 });
    expect(await at({ minPrice: 13.6 })).toMatchObject({ price: 13.6 });
    expect(await at({ feeRate: 1 })).toMatchObject({ outcome: 'blocked', price: null });
  });
});

describe('the state', () => {
  /** Feeds each state back, with the price that was asked for in force. */
  async function run(rules: string, observations: readonly object[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const observation of observations) {
      const last = answers.at(-1);
      const past = last === undefined ? {} : { currentPrice: last.price, state: last.state };
      answers.push(await decideOne(rules, { ...LISTING, ...past, ...observation }));
    }
    return answers;
  }

  test('has turns: a line decides for a time, then rests', async () => {
    const rules = byLines('floor, for 2 h then not for 3 h; otherwise: own price');
    const lines = await run(
      rules,
      Array.from({ length: 7 }, (_, t) => ({ t })),
    );
    expect(lines.map(({ line }) => line)).toEqual([1, 1, 2, 2, 2, 1, 1]);
  });

  test('has nothing of other lines: their turns and situations begin anew', async () => {
    const turns = '{}, for 2 h then not for 30 h; otherwise: own price';
    const [, , resting] = await run(
      byLines(turns.replace('{}', 'floor')),
      [0, 1, 2].map((t) => ({ t })),
    );
    expect(resting).toMatchObject({ line: 2 });
    const after = { t: 3, currentPrice: resting?.price, state: resting?.state };
    expect(await decideOne(byLines(turns.replace('{}', 'floor')), { ...LISTING, ...after })).toMatchObject({
      line: 2,
    });
    const edited = byLines(turns.replace('{}', 'ceiling'));
    expect(await decideOne(edited, { ...LISTING, ...after })).toMatchObject({ line: 1 });
  });

  test('has the last change, for steps that wait', async () => {
    const rules = byLines('raise 1% every 2 h');
    const prices = await run(rules, [{ t: 0 }, { t: 1 }, { t: 2 }, { t: 3 }]);
    expect(prices.map(({ price }) => price)).toEqual([20.2, 20.2, 20.2, 20.4]);
  });

  test('has since when a situation lasts', async () => {
    const rules = byLines('losing for 2 h: floor');
    const codes = await run(
      rules,
      [0, 1, 2].map((t) => ({ t })),
    );
    expect(codes.map(({ line }) => line)).toEqual([0, 0, 1]);
  });

  test('has the cuts against a competitor and the prices of a day', async () => {
    const cuts = Array.from({ length: 8 }, (_, t) => ({
      t,
      competitors: [{ id: 'Acme', price: 19.99 - t / 10 }],
    }));
    const answers = await run(BEAT, cuts);
    expect(answers.map(({ reasonCode }) => reasonCode).slice(5)).toEqual([
      'beaten',
      'price_war',
      'price_war',
    ]);
    const drops = [0, 1, 2, 3].map((t) => ({ t, competitors: [{ id: `Seller ${t}`, price: 12 }] }));
    expect((await run(BEAT, drops)).map(({ price }) => price)).toEqual([17, 14.45, 14, 14]);
  });

  test('has the price that was set by hand', async () => {
    const rules = byLines('10% over own price');
    const [first] = await run(rules, [{ t: 0 }]);
    const changed = { ...LISTING, t: 1, state: first?.state, currentPrice: 18 };
    expect(await decideOne(rules, changed)).toMatchObject({ price: 19.8 });
    expect(await decideOne(rules, { ...changed, currentPrice: first?.price })).toMatchObject({ price: 22 });
  });

  test('has the prices that are on their way: none of them counts as set by hand', async () => {
    const climb = byLines('10% over own price');
    const [sent, waits, there] = await run(climb, [
      { t: 0 },
      { t: 1, currentPrice: 20, pendingPrice: 22 },
      { t: 2, currentPrice: 22 },
    ]);
    expect(sent).toMatchObject({ outcome: 'change', price: 22 });
    expect(waits).toMatchObject({ outcome: 'keep', reasonCode: 'already_sent' });
    expect(there).toMatchObject({ outcome: 'keep', price: 22, state: { ownPrice: 20 } });
    expect(there?.state).toMatchObject({
      lastChangedAt: '2026-01-05T02:00:00.000Z',
      moves: [{ by: 'rule' }],
    });
    const at = (price: number) => ({ competitors: [{ id: 'Acme', price }] });
    const late = await run(BEAT, [
      { t: 0, ...at(19.05) },
      { t: 1, currentPrice: 20, pendingPrice: 19, ...at(18.05) },
      { t: 2, currentPrice: 19, pendingPrice: 18, ...at(18.05) },
      { t: 3, currentPrice: 18, ...at(18.05) },
    ]);
    expect(late[3]?.state).toMatchObject({
      ownPrice: 20,
      moves: [
        { to: 19, by: 'rule', against: 'acme' },
        { to: 18, by: 'rule', against: 'acme' },
      ],
    });
  });
});

describe('the stream', () => {
  test('answers observations of one line together, in their order', async () => {
    const observations = [LISTING, { ...LISTING, listingId: 'A-2', currentPrice: 19.94 }];
    const { answers } = await decide(BEAT, [{ observations }]);
    expect(answers).toMatchObject([
      { decisions: [{ listingId: 'A-1' }, { listingId: 'A-2', reasonCode: 'already_there' }] },
    ]);
  });

  test('goes on after lines that cannot be read, each with its number', async () => {
    const { answers, code } = await decide(BEAT, [
      '{"t": 0',
      '',
      { ...LISTING, cost: null },
      { ...LISTING, competitors: [{ id: 'Acme', price: 19.999 }] },
      { observations: [LISTING, 5] },
      LISTING,
    ]);
    expect(code).toBe(1);
    expect(answers.slice(0, 4)).toEqual([
      { line: 1, error: expect.stringContaining('JSON') },
      { line: 3, error: expect.stringMatching(/^cost /) },
      { line: 4, error: expect.stringMatching(/^competitors\[0\]\.price /) },
      { line: 5, error: expect.stringMatching(/^observations\[1\] /) },
    ]);
    expect(answers.at(4)).toMatchObject({ price: 19.94 });
  });

  test.each([
    { t: 'yesterday' },
    { t: -1 },
    { periodsPerDay: 0 },
    { marketplace: 'alibaba' },
    { fulfillment: 'drone' },
    { feeRate: 15 },
    { stock: 1.5 },
    { buyBox: [] },
    { buyBox: { isMine: 'yes' } },
    { competitors: {} },
    { listingId: 7 },
    { local: { minuteOfDay: 1_440, weekday: 1, day: '2026-11-23' } },
    { local: { minuteOfDay: 0, weekday: 0, day: '2026-11-23' } },
    { local: { minuteOfDay: 0, weekday: 1, day: 'today' } },
    { state: { price: 20 } },
  ])('rejects %j', async (facts) => {
    const { answers, code } = await decide(BEAT, [{ ...LISTING, ...facts }]);
    expect(code).toBe(1);
    expect(answers).toEqual([{ line: 1, error: expect.stringContaining(Object.keys(facts)[0] as string) }]);
  });

  test('lists rows of the rules file that cannot be read, and their listings are not priced', async () => {
    const { answers, code, errors } = await decide(`${BEAT}Bad,amazon,All,Undercut,10,,true\n`, [LISTING]);
    expect(code).toBe(1);
    expect(errors).toContain('line 3');
    expect(answers).toMatchObject([{ outcome: 'blocked', reasonCode: 'unreadable_rule' }]);
  });
});

describe('a run that begins with init', () => {
  const INIT = {
    listings: [{ id: 'A-1', marketplace: 'amazon', category: 'kitchen', fulfilment: 'FBM' }],
    periodsPerDay: 4,
    strategy: 'Beat Competitor',
    offset: -0.05,
    seed: 1,
  };
  const SEEN = {
    t: 0,
    listingId: 'A-1',
    cost: 10,
    feeRate: 0.15,
    fixedFee: 0,
    minMargin: 0.1,
    floor: 13.34,
    ceiling: 40,
    tick: 0.01,
    currentPrice: 20,
    competitors: [{ id: 'Acme', price: 19.99, fulfilment: 'FBM', rating: 0.95, isAmazon: false }],
    summary: {
      amazonDirectPrice: null,
      thirdPartyMin: 19.99,
      thirdPartyAvg: 20,
      thirdPartyMax: 21,
      sellerCount: 1,
    },
    buyBox: null,
    last: null,
  };

  async function runOf(init: object, ...periods: readonly object[]): Promise<readonly Answer[]> {
    const lines = [{ init }, ...periods.map((one) => ({ observations: [{ ...SEEN, ...one }] }))];
    const { code, out } = await runCommand(['policy'], {
      files: { '-': lines.map((line) => JSON.stringify(line)).join('\n') },
    });
    expect(code).toBe(0);
    const answers = out.split('\n').filter((line) => line !== '');
    // The first line has no answer.
    expect(answers).toHaveLength(periods.length);
    return answers.map((line) => JSON.parse(line).decisions[0]);
  }

  test('needs no rules file: a strategy decides, with the minimum margin of each observation', async () => {
    const [decision] = await runOf(INIT, {});
    expect(decision).toMatchObject({ outcome: 'change', price: 19.94, reasonCode: 'beaten', floor: 13.34 });
    expect(decision).not.toHaveProperty('state');
    const [higher] = await runOf(INIT, { minMargin: 0.4, competitors: [{ id: 'Acme', price: 15 }] });
    expect(higher).toMatchObject({ floor: 22.23, price: 22.23 });
  });

  test('begins with the line that docs/rules.md shows', async () => {
    const doc = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
    const [, init = '{}'] = /```text\n(\{"init".*)\n```/.exec(doc) ?? [];
    expect(await runOf(JSON.parse(init).init, {})).toMatchObject([{ price: 19.98 }]);
  });

  test('keeps within floor, ceiling and tick', async () => {
    const competitors = [{ id: 'Acme', price: 5 }];
    expect(await runOf(INIT, { competitors, floor: 18 })).toMatchObject([{ price: 18 }]);
    expect(await runOf(INIT, { competitors, floor: 18, minPrice: 19 })).toMatchObject([{ price: 19 }]);
    const above = { competitors: [{ id: 'Acme', price: 30 }], ceiling: 21 };
    expect(await runOf(INIT, above)).toMatchObject([{ price: 21 }]);
    expect(await runOf(INIT, { ...above, maxPrice: 20.5 })).toMatchObject([{ price: 20.5 }]);
    expect(await runOf(INIT, { tick: 0.1 })).toMatchObject([{ outcome: 'keep', reasonCode: 'minimum_step' }]);
  });

  test('remembers each listing: cuts of a day, and what was sold', async () => {
    // Six cuts in 24 hours are a price war.
    const cuts = Array.from({ length: 8 }, (_, t) => ({
      t,
      periodsPerDay: 24,
      currentPrice: t === 0 ? 20 : 20.04 - t / 10,
      competitors: [{ id: 'Acme', price: 19.99 - t / 10 }],
    }));
    const codes = (await runOf(INIT, ...cuts)).map(({ reasonCode }) => reasonCode);
    expect(codes.slice(5)).toEqual(['beaten', 'price_war', 'price_war']);
    const sold = { price: 20, units: 12, buyBoxShare: 0.5 };
    const dynamic = { ...INIT, strategy: null, offset: null };
    const learning = await runOf(dynamic, ...[null, sold, sold].map((last, t) => ({ t, last })));
    expect(learning.map(({ reason }) => /\d+ of 30/.exec(String(reason))?.[0])).toEqual([
      '0 of 30',
      '12 of 30',
      '24 of 30',
    ]);
  });

  test('takes the lowest prices of a summary for competitors where none is listed', async () => {
    const summary = { amazonDirectPrice: 19.5, thirdPartyMin: 19.9 };
    expect(await runOf(INIT, { competitors: [], summary })).toMatchObject([{ price: 19.45 }]);
    expect(await runOf(INIT, { competitors: [], summary: { thirdPartyMin: 19.9 } })).toMatchObject([
      { price: 19.85 },
    ]);
    // It could be our own offer.
    expect(await runOf(INIT, { competitors: [], summary: { thirdPartyMin: 20 } })).toMatchObject([
      { outcome: 'keep' },
    ]);
  });

  test('goes with a rules file too, and a line with init then begins anew', async () => {
    const rules = byLines('floor, for 12 h then not for 18 h; otherwise: own price');
    const seen = (t: number) => ({ observations: [{ ...SEEN, t, currentPrice: 14.29, ownPrice: 20 }] });
    const { answers } = await decide(rules, [
      { init: INIT },
      ...[0, 1, 2, 3].map(seen),
      { init: INIT },
      seen(4),
    ]);
    const lines = answers.map(({ decisions }) => (decisions as Answer[])[0]?.line);
    expect(lines).toEqual([1, 1, 2, 2, 1]);
  });

  test.each([
    [{ init: { ...INIT, strategy: 'Undercut' } }, 'init.strategy '],
    [{ init: { ...INIT, listings: [{ id: 7 }] } }, 'init.listings[0].id '],
    [{ init: { ...INIT, offset: 'cheap' } }, 'init.offset '],
    [{ init: { ...INIT, periodsPerDay: 0 } }, 'init.periodsPerDay '],
    [SEEN, 'init is missing'],
  ])('answers a line that cannot be used: %j', async (line, error) => {
    const { code, out } = await runCommand(['policy'], { files: { '-': JSON.stringify(line) } });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ line: 1, error: expect.stringContaining(error) });
  });

  test('needs a minimum margin where no rules file has one', async () => {
    const lines = [{ init: INIT }, { ...SEEN, minMargin: null }];
    const { code, out } = await runCommand(['policy'], {
      files: { '-': lines.map((line) => JSON.stringify(line)).join('\n') },
    });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ line: 2, error: 'minMargin is missing' });
  });
});

test.each([['--rules'], ['--rules', '-'], ['--rules', 'none.csv'], ['--rules', 'rules.csv', '--seed', '1']])(
  'cannot be used: policy %s %s %s',
  async (...args) => {
    const { code, errors } = await runCommand(['policy', ...args], { files: { 'rules.csv': BEAT } });
    expect(code).toBe(2);
    expect(errors).toMatch(/^pricewright: /);
  },
);

test('rejects a time zone that does not exist', async () => {
  expect((await decide(BEAT, [LISTING], '--time-zone', 'Mars/Base')).code).toBe(2);
});

test('explains itself', async () => {
  expect((await runCommand(['policy', '--help'])).out).toContain('pricewright policy [--rules FILE]');
});
