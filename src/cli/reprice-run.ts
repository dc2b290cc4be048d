import { canDependOnCompetitors } from '#domain/decision/decide.ts';
import { feeTables } from '#domain/fees/fee-tables.ts';
import { DEFAULT_LIMITS, type Policy } from '#domain/limits/policy.ts';
import { asksForTime, asksOtherChannels, sistersIn } from '#domain/lines/compile-lines.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { ruleIndex } from '#domain/rules/rule-choice.ts';
import { localTimeOf } from '#domain/time/local-time.ts';
import { instant } from '#domain/units.ts';
import { loadBundles } from '#files/bundle-columns.ts';
import { KeyIndex } from '#files/key-index.ts';
import { loadFees } from '#files/load-fees.ts';
import { type LoadedRules, loadRules } from '#files/load-rules.ts';
import { emptyTiers, loadTiers } from '#files/load-tiers.ts';
import { loadOffers } from '#files/offer-store.ts';
import { readShippedFees, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { problemText } from '#files/row-problem.ts';
import { loadSales } from '#files/sale-columns.ts';
import { loadSkus } from '#files/sku-columns.ts';
import type { ReportProblem } from '#files/table-rows.ts';
import { loadOwnPrices } from './channel-prices.ts';
import { CLEAR_LINE, type CommandIo } from './io.ts';
import { type Inputs, openInputs } from './open-inputs.ts';
import type { PricingInputs } from './price-listing.ts';
import type { RepriceOptions } from './reprice-options.ts';
import { streamListings } from './stream-listings.ts';
import { type Summary, Tally } from './tally.ts';

/**
 * Reads the files, prices every listing and writes the price changes to standard output.
 * @throws FileError for a file that cannot be used
 */
export async function runReprice(options: RepriceOptions, io: CommandIo): Promise<Summary> {
  const startedAt = io.now();
  const tally = new Tally();
  const report: ReportProblem = (problem) => {
    tally.reject(problem.file, problem.line);
    io.writeError(`${io.isTerminal ? CLEAR_LINE : ''}${problemText(problem)}\n`);
  };
  const inputs = await openInputs(options, io);
  try {
    await priceAll(inputs, options, { startedAt, tally, report, io });
  } finally {
    await inputs.close();
  }
  return tally.summary((io.now() - startedAt) / 1_000);
}

interface Run {
  readonly startedAt: number;
  readonly tally: Tally;
  readonly report: ReportProblem;
  readonly io: CommandIo;
}

async function priceAll(inputs: Inputs, options: RepriceOptions, run: Run): Promise<void> {
  const { report, tally, io } = run;
  const keys = new KeyIndex();
  const rules = await loadRules(inputs.rules, report);
  warnWithoutSeller(options, rules.rules, io);
  warnWithoutTimeZone(options, rules.rules, io);
  const pricingInputs = await loadPricingInputs(
    inputs,
    rules,
    keys,
    policyOf(options, run.startedAt),
    report,
  );
  const { explain } = options;
  try {
    await streamListings({
      table: inputs.listings,
      inputs: pricingInputs,
      keys,
      rules,
      report,
      tally,
      io,
      explain,
    });
  } finally {
    pricingInputs.offers?.close();
  }
}

async function loadPricingInputs(
  inputs: Inputs,
  rules: LoadedRules,
  keys: KeyIndex,
  policy: Policy,
  report: ReportProblem,
): Promise<PricingInputs> {
  const fees = inputs.fees === null ? null : await loadFees(inputs.fees, report);
  const published = schedulesOfPlans(await readShippedFees());
  const shipped = published.filter(({ marketplace, category }) => !fees?.names(marketplace, category));
  return {
    fees: feeTables([...shipped, ...(fees?.schedules ?? [])]),
    tiers: inputs.tiers === null ? emptyTiers() : await loadTiers(inputs.tiers, report),
    skus: await loadSkus(inputs.skus, keys, report),
    bundles: inputs.bundles === null ? null : await loadBundles(inputs.bundles, keys, report),
    offers: inputs.offers === null ? null : await loadOffers(inputs.offers, keys, report),
    ownPrices: rules.rules.some(usesOtherChannels)
      ? await loadOwnPrices(await inputs.reopenListings(), keys)
      : null,
    sales: inputs.sales === null ? null : await loadSales(inputs.sales, keys, report),
    ruleIndex: ruleIndex(rules.rules, policy.local),
    policy,
    files: {
      skus: inputs.skus.file,
      bundles: inputs.bundles?.file ?? '--bundles',
      rules: inputs.rules.file,
    },
    badRuleLines: rules.badLines,
  };
}

/** Whether a rule asks what our other listings ask. */
function usesOtherChannels({ refuseCrossChannel, lines }: Rule): boolean {
  return refuseCrossChannel || (lines !== null && (asksOtherChannels(lines) || sistersIn(lines).length > 0));
}

function policyOf(
  { now: given, timeZone, maxAge, maxStep, ownSellers }: RepriceOptions,
  startedAt: number,
): Policy {
  const now = given ?? instant(startedAt);
  return {
    ...DEFAULT_LIMITS,
    now,
    local: timeZone === null ? null : localTimeOf(now, timeZone),
    maxOfferAge: maxAge,
    maxStep,
    ownSellers,
    // The user of the command sees the prices before any is sent, so it answers even without --seller.
    areOwnSellersKnown: true,
    mode: 'live',
    halted: false,
    autoRepricing: true,
    areFeeEstimatesAccepted: false,
  };
}

function warnWithoutSeller(
  { ownSellers, files }: RepriceOptions,
  rules: readonly Rule[],
  io: CommandIo,
): void {
  const isCompetitive = rules.some((rule) => rule.isActive && canDependOnCompetitors(rule));
  if (ownSellers.size > 0 || files.offers === undefined || !isCompetitive) return;
  io.writeError(
    'No --seller given: no offer counts as yours. Add --seller "Your shop" if you are among them.\n',
  );
}

function warnWithoutTimeZone({ timeZone }: RepriceOptions, rules: readonly Rule[], io: CommandIo): void {
  if (timeZone !== null) return;
  const active = rules.filter(({ isActive }) => isActive);
  const add = 'Add --time-zone America/New_York.';
  if (active.some(({ lines }) => asksForTime(lines ?? []))) {
    io.writeError(`No --time-zone given: lines about hours, days and dates do not apply. ${add}\n`);
  }
  if (active.some(({ schedule }) => schedule !== null)) {
    io.writeError(`No --time-zone given: rules with a schedule do not apply. ${add}\n`);
  }
}
