/**
 * The Rules page over a whole catalog: the preview of a rule, and what the cards count.
 *
 *   node --import tsx bench/preview.ts                                  100,000 listings, 5 rounds
 *   node --import tsx bench/preview.ts --keep                           leaves the database for the next run, and for `engine`
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { RuleFields, type RuleForm } from '#contract/rules.ts';
import { type Database, openDatabase } from '#db/client.ts';
import { readRuleFigures } from '#db/queries/repricing/rule-figures.ts';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { instant } from '#domain/units.ts';
import { previewRule } from '#usecases/repricing/rules/preview-rule.ts';
import { ruleWriteOf } from '#usecases/repricing/rules/rule-write.ts';
import { type EngineShop, openEngineBench } from './engine-database.ts';
import { spreadOf } from './rounds.ts';
import { type Line, printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'boolean', default: false },
  },
});
const listings = Number(values.listings);
const rounds = Number(values.rounds);

/** The one rule of the shop, which prices all of it. */
const RULE_ID = 1;
const FORM = { name: 'Beat everybody', fulfillmentType: 'All', minimumMargin: '15' } as const;
const TEMPLATE = RULE_TEMPLATES.find(({ name }) => name === 'Win and hold');
if (TEMPLATE === undefined) throw new Error('No template is called Win and hold.');
const LINES = { ...FORM, strategy: 'Beat Competitor', lines: TEMPLATE.lines, targetMargin: '35' } as const;
const STRATEGY = { ...FORM, strategy: 'Beat Competitor', competitorOffset: '-0.02' } as const;

const bench = await openEngineBench();
try {
  const shop = await bench.shop(listings);
  const lines = [await preview(shop, 'a strategy', STRATEGY), await preview(shop, 'Win and hold', LINES)];
  const count = listings.toLocaleString('en-US');
  printTable(`preview of a rule, ${count} listings, load ${loadavg()[0]?.toFixed(1)}`, lines);
  printTable(`figures of the cards, ${count} listings`, [await shop.withTwin(figures)]);
} finally {
  await bench.close(values.keep);
}

/** Seconds of a preview of this rule in place of the stored one. */
async function preview(shop: EngineShop, name: string, form: RuleForm): Promise<Line> {
  const write = ruleWriteOf(RuleFields.parse(form));
  const seconds = await timed(shop.url, async ({ db }) => {
    const {
      listings: previewed,
      notRead,
      changes,
    } = await previewRule(db, RULE_ID, write, instant(Date.now()));
    if (previewed !== shop.listings) throw new Error(`Only ${previewed} listings were previewed.`);
    // Nothing is to be decided where the offers are too old, which would be fast.
    if (notRead > shop.listings / 2 || changes === 0) throw new Error(`${notRead} listings are not read.`);
  });
  return { name, spread: spreadOf(seconds), unit: 's', goal: { atMost: 2 } };
}

/** Milliseconds of the figures of a rule with lines, each listing of which it has changed within a day. */
async function figures(url: string): Promise<Line> {
  await filled(url);
  const seconds = await timed(url, async ({ db }) => {
    const counted = (await readRuleFigures(db, instant(Date.now()))).get(RULE_ID);
    const decided = counted?.lines.reduce((sum, line) => sum + line.listings, 0) ?? 0;
    if (counted?.appliedTo !== listings || counted.changes < listings || decided === 0)
      throw new Error(`Counted: ${JSON.stringify(counted)}`);
  });
  return {
    name: 'all rules, one statement',
    spread: spreadOf(seconds.map((each) => each * 1_000)),
    unit: 'ms',
    goal: { atMost: 100 },
  };
}

/** Gives the rule lines that have decided all of its listings, and the price history a change of each. */
async function filled(url: string): Promise<void> {
  const { pool, close } = openDatabase(url);
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('UPDATE repricing_rules SET lines = $1 WHERE id = $2', [LINES.lines, RULE_ID]);
    await client.query(`UPDATE listing_metrics SET line = listing_id % 6 WHERE outcome <> 'blocked'`);
    await client.query('UPDATE listing_metrics SET rule_id = $1', [RULE_ID]);
    await client.query(
      `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, rule_id, margin_floor)
        SELECT id, current_price, current_price + 0.01, 'Beaten', 'rule', now() - interval '1 hour', $1, 0.01
        FROM listings ORDER BY id`,
      [RULE_ID],
    );
    await client.query('DELETE FROM due_listings');
    // As autovacuum does within a minute.
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
    await close();
  }
}

/** Seconds of each round; one more goes before them as warm-up. */
async function timed(url: string, action: (database: Database) => Promise<void>): Promise<number[]> {
  const database = openDatabase(url);
  try {
    const seconds: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const started = performance.now();
      await action(database);
      if (round >= 0) seconds.push((performance.now() - started) / 1_000);
    }
    return seconds;
  } finally {
    await database.close();
  }
}
