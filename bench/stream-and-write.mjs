/**
 * The yardstick of a sweep: reads what a decision reads, page by page, and writes rows that were worked out before.
 * It decides nothing. Prints the seconds it took.
 *
 *   node bench/stream-and-write.mjs DATABASE_URL ROWS.json PAGE_SIZE
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';

const [url, file, size] = process.argv.slice(2);
const { run, ...written } = JSON.parse(readFileSync(file, 'utf8'));
const client = new pg.Client({ connectionString: url });
await client.connect();
const types = await readTypes();

const started = performance.now();
const runId = await addRun();
const cursors = { moves: 0, words: 0, metrics: 0, items: 0 };
for (let after = '0'; ; ) {
  await client.query('BEGIN');
  const { rows } = await client.query(listingsOf(), [after, size]);
  const ids = rows.map(({ id }) => id);
  await client.query(offersOf(), [ids]);
  await client.query(componentsOf(), [rows.map(({ sku }) => sku)]);
  const last = ids.at(-1) ?? after;
  await write('price_history', types.price_history, take('moves', last));
  await writeWords(take('words', last));
  await write('listing_metrics', types.listing_metrics, take('metrics', last), 'listing_id');
  await write('run_items', types.run_items, take('items', last), 'run_id, listing_id');
  await client.query('COMMIT');
  after = last;
  if (rows.length < Number(size)) break;
}
console.log((performance.now() - started) / 1_000);
await client.end();

/** The rows of a table up to a listing. */
function take(name, last) {
  const rows = written[name];
  const from = cursors[name];
  while (cursors[name] < rows.length && Number(rows[cursors[name]].listing_id) <= Number(last))
    cursors[name]++;
  return rows.slice(from, cursors[name]);
}

async function write(table, columns, rows, key) {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const sets =
    key && `ON CONFLICT (${key}) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`)}`;
  // Lists inside a row cannot be unnested: they go over as text.
  const arrays = names.map(
    (name, i) => `$${i + 1}::${columns[name].endsWith('[]') ? 'text' : columns[name]}[]`,
  );
  const values = names.map((name) => (columns[name].endsWith('[]') ? `${name}::${columns[name]}` : name));
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM unnest(${arrays}) AS given (${names}) ${sets ?? ''}`,
    names.map((name) => rows.map((row) => textOf(row[name], name))),
  );
}

async function writeWords(rows) {
  if (rows.length === 0) return;
  const names = [
    'listing_id',
    'recommended_price',
    'recommended_price_reason',
    'competitor_price',
    'awaiting_upload_since',
  ];
  await client.query(
    `UPDATE listings l SET recommended_price = w.price, recommended_price_reason = w.reason,
       competitor_price = w.competitor, awaiting_upload_since = w.awaits
     FROM unnest($1::bigint[], $2::numeric[], $3::text[], $4::numeric[], $5::timestamptz[]) AS w (id, price, reason, competitor, awaits)
     WHERE l.id = w.id`,
    names.map((name) => rows.map((row) => row[name])),
  );
}

function textOf(value, name) {
  if (name === 'run_id' && value !== null && value === run[0].id) return runId;
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

async function addRun() {
  const { rows } = await client.query(
    `INSERT INTO repricing_runs (trigger, started_at, state) VALUES ('full_check', $1, 'done') RETURNING id`,
    [run[0].started_at],
  );
  return rows[0].id;
}

/** The types of the columns to write, by table. */
async function readTypes() {
  const { rows } = await client.query(`
    SELECT attrelid::regclass::text AS table, attname AS name, regexp_replace(format_type(atttypid, NULL), ' .*', '') AS type
    FROM pg_attribute WHERE attrelid IN ('price_history'::regclass, 'listing_metrics'::regclass, 'run_items'::regclass)
      AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND NOT (attrelid = 'price_history'::regclass AND attname = 'id')`);
  const types = { price_history: {}, listing_metrics: {}, run_items: {} };
  for (const { table, name, type } of rows) types[table][name] = type === 'timestamp' ? 'timestamptz' : type;
  return types;
}

function listingsOf() {
  return `SELECT l.id, l.marketplace, l.sku, l.title, l.fulfillment_type, l.current_price, h.timestamp, l.anchor_price,
      l.min_price, l.max_price, l.shipping_cost, l.shipping_charge, l.fulfillment_cost, l.fee_category,
      l.auto_repricing_enabled, l.rule_id, l.held_until, l.held_by, l.hold_reason, l.awaiting_upload_since,
      l.bundle_unconfirmed, l.last_repriced, l.recommended_price, l.recommended_price_reason, l.competitor_price,
      l.version, p.price AS pending_price, s.id AS sku_id, s.product_cost, s.weight_oz, s.packaging_cost, s.misc_cost,
      m.product_cost AS a, m.shipping_cost AS b, m.fulfillment_cost AS c, m.packaging_cost AS d, m.misc_cost AS e,
      m.total_cost, m.margin, m.margin_floor, m.amazon_walmart_price, m.third_party_fba_wfs_price,
      m.third_party_fbm_price, m.decided_price, m.outcome, m.reason_code, m.review_reason, m.missing_facts, m.rule_id AS f, m.run_id
    FROM (SELECT * FROM listings WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT $2) l
    CROSS JOIN LATERAL (SELECT timestamp FROM price_history
      WHERE listing_id = l.id AND id = l.current_price_id LIMIT 1) h
    LEFT JOIN LATERAL (SELECT * FROM skus WHERE sku = l.sku LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT * FROM listing_metrics WHERE listing_id = l.id LIMIT 1) m ON true
    LEFT JOIN LATERAL (SELECT price FROM price_intents i WHERE i.listing_id = l.id
      AND i.state IN ('queued', 'sent', 'accepted', 'unknown') ORDER BY i.sequence DESC LIMIT 1) p ON true ORDER BY l.id`;
}

function offersOf() {
  return `SELECT listing_id, seller_name, seller_key, is_marketplace, price, shipping, fulfillment_type, is_featured,
    is_ours, seen_at, rating, rating_count, handling_days FROM competitor_offers WHERE listing_id = ANY($1) ORDER BY listing_id, id`;
}

function componentsOf() {
  return `SELECT b.listing_sku, b.quantity, s.* FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY($1::text[])`;
}
