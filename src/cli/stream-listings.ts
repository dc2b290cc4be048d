import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Cells } from '#files/cells.ts';
import { NumberColumn } from '#files/columns.ts';
import type { KeyIndex } from '#files/key-index.ts';
import {
  CROSSED_LIMITS_FIX,
  type ListingColumn,
  readListing,
  readListingMarketplace,
} from '#files/listing-format.ts';
import { type LoadedRules, ruleKey } from '#files/load-rules.ts';
import { type PriceChange, priceChangeHeader, priceChangeLine } from '#files/price-change-format.ts';
import { quoted, type RowProblem } from '#files/row-problem.ts';
import type { Table } from '#files/table.ts';
import { type ReportProblem, readRows } from '#files/table-rows.ts';
import { CLEAR_LINE, type CommandIo } from './io.ts';
import { OutputLines } from './output-lines.ts';
import { type ListingCase, type PricedListing, type PricingInputs, priceListing } from './price-listing.ts';
import type { Tally } from './tally.ts';

export interface ListingStream {
  readonly table: Table<ListingColumn>;
  readonly inputs: PricingInputs;
  readonly keys: KeyIndex;
  readonly rules: LoadedRules;
  readonly report: ReportProblem;
  readonly tally: Tally;
  readonly io: CommandIo;
  /** Adds the column `trace`. */
  readonly explain: boolean;
}

/** Reads listings and writes a price change for each, so that only a stretch of them is in memory. */
export async function streamListings(stream: ListingStream): Promise<void> {
  const { table, inputs, tally, io, explain } = stream;
  const seen = MARKETPLACES.map(() => new NumberColumn());
  const output = new OutputLines();
  output.add(priceChangeHeader(explain));
  await readRows(
    table,
    stream.report,
    {
      onRow(cells) {
        const listing = readCase(cells, stream, seen);
        if (listing === null) return;
        const priced = priceListing(inputs, listing);
        tally.count(priced.explanation.decision);
        output.add(priceChangeLine(changeOf(listing, priced, explain)));
      },
    },
    async () => {
      await io.writeOut(output.take());
      if (io.isTerminal) io.writeError(`\rListings priced: ${tally.evaluated}`);
    },
  );
  if (io.isTerminal) io.writeError(CLEAR_LINE);
}

/** @returns null for a row that has no place in the output, reported already */
function readCase(
  cells: Cells<ListingColumn>,
  { keys, rules }: ListingStream,
  seen: readonly NumberColumn[],
): ListingCase | null {
  const marketplace = readListingMarketplace(cells);
  const skuNumber = cells.sku('sku', keys);
  if (marketplace === null || skuNumber < 0) return null;
  const lines = seen[MARKETPLACES.indexOf(marketplace)] as NumberColumn;
  const first = lines.get(skuNumber);
  if (first !== 0) {
    cells.reject(
      'sku',
      `is already a ${marketplace} listing on line ${first}`,
      'Delete one of the two rows.',
    );
    return null;
  }
  lines.set(skuNumber, cells.line);
  const row = readListing(cells);
  const ownRule = row.rule === null ? null : ruleNamed(cells, row.rule, rules);
  const unreadable = cells.bad.length === 0 ? null : cells.bad.map(cellFix).join(' ');
  // Reported, and left to the decision, which names both prices.
  if (row.minPrice !== null && row.maxPrice !== null && row.minPrice > row.maxPrice) {
    cells.reject('minPrice', 'is above maxPrice', CROSSED_LIMITS_FIX);
  }
  return { marketplace, sku: keys.text(skuNumber), skuNumber, row, ownRule, unreadable };
}

const MAX_NAMED = 10;

function ruleNamed(cells: Cells<ListingColumn>, name: string, { byName, names }: LoadedRules): Rule | null {
  const rule = byName.get(ruleKey(name));
  if (rule === 'ambiguous') {
    cells.reject('rule', 'is the name of more than one rule', 'Give each rule a name of its own.');
    return null;
  }
  if (rule !== undefined) return rule;
  const more = names.length > MAX_NAMED ? ', ...' : '';
  const known = names.slice(0, MAX_NAMED).map((known) => quoted(known));
  const fix = names.length === 0 ? 'There are no rules.' : `Write one of: ${known.join(', ')}${more}.`;
  cells.reject('rule', 'is not the name of a rule', fix);
  return null;
}

function cellFix({ line, column, value, problem, fix }: RowProblem): string {
  return `Correct line ${line}, ${column ?? 'cell'} ${quoted(value ?? '')}: it ${problem}. ${fix}`;
}

function changeOf(
  { marketplace, sku, row }: ListingCase,
  priced: PricedListing,
  withTrace: boolean,
): PriceChange {
  const { choice, explanation, fix } = priced;
  const { decision, sentence, trace } = explanation;
  return {
    marketplace,
    sku,
    outcome: decision.kind,
    oldPrice: row.currentPrice,
    newPrice: decision.kind === 'change' || decision.kind === 'recommend' ? decision.price : null,
    floor: decision.marginFloor,
    marginBefore: trace.margin.before,
    marginAfter: trace.margin.after,
    rule: choice.rule?.name ?? '',
    reasonCode: decision.reason,
    reason: fix === null ? sentence : `${sentence} ${fix}`,
    line: decision.line?.number ?? null,
    situation: decision.line?.situation ?? null,
    trace: withTrace ? JSON.stringify(trace) : null,
  };
}
