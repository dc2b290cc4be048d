import { z } from 'zod';
import * as account from '#contract/account.ts';
import * as alerts from '#contract/alerts.ts';
import * as apiTokens from '#contract/api-tokens.ts';
import * as attention from '#contract/attention.ts';
import * as audit from '#contract/audit.ts';
import * as backups from '#contract/backups.ts';
import * as books from '#contract/books.ts';
import * as bundles from '#contract/bundles.ts';
import * as businessPrices from '#contract/business-prices.ts';
import * as charts from '#contract/charts.ts';
import * as connections from '#contract/connections.ts';
import * as costList from '#contract/cost-list.ts';
import * as costs from '#contract/costs.ts';
import * as editImpact from '#contract/edit-impact.ts';
import * as engine from '#contract/engine.ts';
import * as errors from '#contract/errors.ts';
import * as events from '#contract/events.ts';
import * as explanation from '#contract/explanation.ts';
import * as externalEdits from '#contract/external-edits.ts';
import * as feeCategories from '#contract/fee-categories.ts';
import * as feeFacts from '#contract/fee-facts.ts';
import * as fees from '#contract/fees.ts';
import * as wire from '#contract/fields.ts';
import * as firstAdmin from '#contract/first-admin.ts';
import * as health from '#contract/health.ts';
import * as history from '#contract/history.ts';
import * as identityProvider from '#contract/identity-provider.ts';
import * as imports from '#contract/imports.ts';
import * as jobs from '#contract/jobs.ts';
import * as labels from '#contract/labels.ts';
import * as limitPlan from '#contract/limit-plan.ts';
import * as listingAnalytics from '#contract/listing-analytics.ts';
import * as listingMigrations from '#contract/listing-migrations.ts';
import * as listingViews from '#contract/listing-views.ts';
import * as listings from '#contract/listings.ts';
import * as marketplaceEvents from '#contract/marketplace-events.ts';
import * as money from '#contract/money.ts';
import * as phone from '#contract/phone.ts';
import * as priceActions from '#contract/price-actions.ts';
import * as priceFile from '#contract/price-file.ts';
import * as priceStatus from '#contract/price-status.ts';
import * as profitSums from '#contract/profit-sums.ts';
import * as repricingLimits from '#contract/repricing-limits.ts';
import * as ruleScope from '#contract/rule-scope.ts';
import * as rules from '#contract/rules.ts';
import * as runPreview from '#contract/run-preview.ts';
import * as sales from '#contract/sales.ts';
import * as search from '#contract/search.ts';
import * as session from '#contract/session.ts';
import * as sessions from '#contract/sessions.ts';
import * as settings from '#contract/settings.ts';
import * as start from '#contract/setup.ts';
import * as skus from '#contract/skus.ts';
import * as stats from '#contract/stats.ts';
import * as tiers from '#contract/tiers.ts';
import * as undoChanges from '#contract/undo-changes.ts';
import * as users from '#contract/users.ts';
import * as views from '#contract/views.ts';
import * as webhookReceivers from '#contract/webhook-receivers.ts';

const MODULES: readonly object[] = [
  account,
  alerts,
  apiTokens,
  attention,
  audit,
  backups,
  books,
  bundles,
  businessPrices,
  charts,
  connections,
  costList,
  costs,
  editImpact,
  engine,
  errors,
  events,
  explanation,
  externalEdits,
  feeCategories,
  feeFacts,
  fees,
  firstAdmin,
  health,
  history,
  identityProvider,
  imports,
  jobs,
  labels,
  limitPlan,
  listingAnalytics,
  listingMigrations,
  listingViews,
  listings,
  money,
  phone,
  priceActions,
  priceFile,
  priceStatus,
  profitSums,
  repricingLimits,
  ruleScope,
  rules,
  runPreview,
  sales,
  search,
  session,
  sessions,
  settings,
  skus,
  start,
  stats,
  tiers,
  undoChanges,
  users,
  views,
  webhookReceivers,
  marketplaceEvents,
  wire,
];

/**
 * Gives every exported schema of the contract its own name in the description of the API: "ListingRow" there is the
 * `ListingRow` here, in each call that has one. Of two names for one schema the first counts. Calling it again changes
 * nothing.
 * @returns the names
 */
export function nameSchemas(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodType)) continue;
    const meta = z.globalRegistry.get(schema);
    if (meta?.id === undefined) z.globalRegistry.add(schema, { ...meta, id: name });
    names.add(meta?.id ?? name);
  }
  return names;
}
