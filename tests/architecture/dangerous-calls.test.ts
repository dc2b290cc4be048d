import { describe, expect, test } from 'vitest';
import { readSources, type SourceFile, type SyntaxNode, textOf } from './source-tree.ts';

const sources = readSources('src', 'tools');

interface Call {
  readonly file: string;
  /** "sql.raw" */
  readonly callee: string;
  /** Its first argument as written. */
  readonly argument: string;
}

function callsIn(source: SourceFile): Call[] {
  return source.nodes
    .filter(({ type }) => type === 'CallExpression' || type === 'NewExpression')
    .map((node) => ({
      file: source.file,
      callee: textOf(source, node.callee),
      argument: textOf(source, (node.arguments as SyntaxNode[])[0]).replaceAll(/\s+/g, ' '),
    }));
}

const calls = sources.flatMap(callsIn);
const shown = ({ file, callee, argument }: Call): string => `${file}: ${callee}(${argument})`;

/**
 * All places that build SQL from text, with that text. Each was reviewed: a number or name of ours from a fixed
 * map or union, or a statement of the queue library with bound values. None uses text from a request.
 */
const REVIEWED = [
  'src/db/checks.ts: String(max), list, max, min',
  'src/db/queries/catalog/charts.ts: countedCharge()',
  `src/db/queries/catalog/competitor-prices.ts: \`\${marketplace}_direct_price\``,
  `src/db/queries/catalog/empty-columns.ts: \`k.\${KEY_COLUMNS[name]}\`, name`,
  `src/db/queries/catalog/import-rows.ts: name, names, types[column] ?? 'text'`,
  `src/db/queries/catalog/listing-order.ts: \`k.\${SORT_COLUMNS[by].column}\``,
  `src/db/queries/catalog/skus.ts: \`s.\${SORT_COLUMNS[by]}\``,
  `src/db/queries/catalog/stats.ts: \`round(100 * (\${now} - \${before}) / nullif(\${before}, 0), 1)::numeric(20, 1)::text\``,
  'src/db/queries/identity/sealed-columns.ts: column, column.column, column.table, name, table',
  'src/db/queries/marketplaces/money/fee-facts.ts: IS_CHARGE',
  `src/db/queries/marketplaces/sync/sync-queue.ts: 'featured_price_read_at', 'fees_read_at', 'figures_read_at', 'offers_read_at'`,
  `src/db/queries/repricing/decision-rows.ts: AMOUNT_COLUMNS.join(', '), AMOUNT_COLUMNS.map((name) => \`\${name} / 100.0\`).join(', '), [...amounts, ...texts].join(', '), amounts.map((name) => \`\${name} / 100.0\`).join(', '), columns.join(', '), columns.map((name) => \`\${name} = excluded.\${name}\`).join(', '), texts.join(', '), type`,
  `src/db/queries/repricing/equal-sales.ts: \`\${item}.\${column}\``,
  `src/db/queries/repricing/follow-shares.ts: countedCharge('o')`,
  `src/db/queries/repricing/pricing-input-rows.ts: \`"\${name}Then"\``,
  'src/db/queries/repricing/rule-listings.ts: field',
  'src/db/queries/repricing/run-groups.ts: countedCharge()',
  `src/db/queries/repricing/run-views.ts: 'run_items.listing_id', \`(change.\${price} + \${countedCharge()})\`, \`change.\${margin}\`, countedCharge('listings'), countedCharge()`,
  'src/db/queue.ts: part',
  `src/db/row-batches.ts: \`FETCH \${BATCH} FROM all_rows\``,
  `src/db/sql-values.ts: \`(\${column} * 100)::bigint::float8\`, \`round(date_part('epoch', \${column}) * 1000)\``,
];

describe('the sources', () => {
  test('are parsed as TypeScript', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(calls.some(({ callee }) => callee === 'sql.raw')).toBe(true);
  });

  test('put text into SQL only in reviewed places', () => {
    const found = new Map<string, Set<string>>();
    for (const { file, callee, argument } of calls) {
      if (!/^sql\.(?:raw|identifier)$/.test(callee)) continue;
      found.set(file, (found.get(file) ?? new Set()).add(argument));
    }
    const lines = [...found].map(([file, texts]) => `${file}: ${[...texts].sort().join(', ')}`);
    expect(lines.sort()).toEqual(REVIEWED);
  });

  test('combine no signals in a way that Node.js may forget', () => {
    // A time limit in it may be collected before it fires: `withTimeLimit` holds its signals.
    expect(calls.filter(({ callee }) => callee === 'AbortSignal.any').map(shown)).toEqual([]);
  });

  test('send no concatenated text to the database', () => {
    const made = calls.filter(
      ({ callee, argument }) =>
        /(?:^|\.)(?:execute|query)$/.test(callee) &&
        (argument.includes('${') || argument.includes(' + ')) &&
        !argument.startsWith('sql'),
    );
    // Our own names, where PostgreSQL accepts no parameters.
    expect(made.map(shown)).toEqual([
      `src/db/embedded/supervision.ts: client.query(\`CREATE ROLE \${APPLICATION} LOGIN\`)`,
      `src/db/embedded/supervision.ts: client.query(\`CREATE ROLE \${DAILY_ROLE} LOGIN\`)`,
      `src/db/embedded/supervision.ts: client.query(\`CREATE DATABASE \${APPLICATION} OWNER \${APPLICATION}\`)`,
      `src/db/listen.ts: client.query(\`LISTEN \${channel}\`)`,
    ]);
  });

  test('start transactions in one place, which retries after serialization failures', () => {
    const begun = calls.filter(({ callee }) => callee.endsWith('.transaction'));
    // Of the others one is the database of a request, and one returns connections; transact starts theirs.
    const places = new Set(begun.map(({ file }) => file));
    expect(places).toEqual(new Set(['src/db/client.ts', 'src/db/permitted.ts', 'src/db/transact.ts']));
  });

  test('create no code and no regular expression from text', () => {
    const made = calls.filter(({ callee }) =>
      ['eval', 'Function', 'RegExp', 'globalThis.eval', 'vm.runInNewContext'].includes(callee),
    );
    expect(made.map(shown)).toEqual([]);
    const patterns = calls.filter(
      ({ callee, argument }) => /\.(?:match|matchAll|search)$/.test(callee) && !argument.startsWith('/'),
    );
    expect(patterns.map(shown)).toEqual([]);
  });

  test('start programs without a shell, and only for the embedded database', () => {
    const started = calls.filter(({ callee }) =>
      /^(?:exec(?!ute$)|execSync|execFile|spawn|fork)\w*$/.test(callee),
    );
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(({ file }) => !file.startsWith('src/db/embedded/')).map(shown)).toEqual([]);
    expect(started.filter(({ callee }) => /^exec(?:Sync)?$/.test(callee)).map(shown)).toEqual([]);
    expect(sources.filter(({ text }) => /\bshell: true\b/.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('put text into a page only as text', () => {
    const marks =
      /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc)\b/i;
    expect(sources.filter(({ text }) => marks.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
