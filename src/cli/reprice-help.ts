export const REPRICE_HELP = `pricewright reprice: calculates new prices from files and writes them as CSV.

It needs no database and changes nothing: the prices go to standard output.

  pricewright reprice --listings listings.csv --skus skus.csv --rules rules.csv [more flags] > prices.csv

Files (CSV with a header line; one of them may be - for standard input)
  --listings FILE   sku, currentPrice, fulfillmentType, and more                    required
  --skus FILE       sku, productCost, weight, packagingCost, miscCost               required
  --rules FILE      name, marketplace, fulfillmentType, strategy, minimumMargin,
                    competitorOffset, isActive; the oldest rule first; lines, for
                    rules with lines (docs/rules.md)                                required
  --offers FILE     competitors' prices: marketplace, sku, seller, price, shipping,
                    fulfillmentType, isFeatured, seenAt
  --tiers FILE      shipping costs: marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost
  --bundles FILE    listing_sku, component_sku, quantity
  --fees FILE       fee schedules that replace the shipped ones of the same marketplace and category
  --sales FILE      past sales, for Dynamic Pricing

Options
  --seller NAME     your name among the offers; repeat it for several
  --now TIME        the time to decide for, such as 2026-11-21T12:00:00Z (default: now)
  --time-zone ZONE  of your store, such as America/New_York, for lines about hours, days and dates
  --max-age LENGTH  offers older than this do not count: 90m, 24h, 2d (default: 24h)
  --max-step PERCENT  step limit: the largest change of a price (default: 15)
  --explain         adds a column trace: every step of each decision as JSON
  --summary FILE    writes the counts of the run as JSON
  --help            this text

Output: one row for each listing, in the order of the listings: marketplace, sku, outcome (change, keep,
recommend, blocked), oldPrice, newPrice, floor, marginBefore, marginAfter, rule, reasonCode, reason.
Errors and a summary go to standard error. The same files and --now give the same bytes.

Exit code: 0 every row was read; 1 some rows were unreadable (listed on standard error; the others are
priced); 2 the arguments or a file cannot be used.

Example:
  pricewright reprice --listings examples/listings.csv --skus examples/skus.csv --rules examples/rules.csv \\
    --offers examples/offers.csv --tiers examples/tiers.csv --seller "My Shop" --now 2026-11-21T12:00:00Z

docs/files.md describes every column.
`;
