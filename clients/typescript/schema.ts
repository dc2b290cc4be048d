/**
 * The calls of Pricewright's API that take an API token, and what they send and answer. Made by `npm run api:client` from
 * the description of the API (GET /api/docs/json): change that, not this file.
 */

export interface Calls {
  /** Lists active alerts, and those resolved within 24 hours. API tokens need the scope read. */
  'GET /api/alerts': {
    answer: Alerts;
  };
  /** Counts what needs attention, each with a link to its list. API tokens need the scope read. */
  'GET /api/attention': {
    answer: Attention;
  };
  /** Shows until which day the books are closed. API tokens need the scope read. */
  'GET /api/books': {
    answer: Books;
  };
  /** Shows what closing the books until a day would leave open. Administrators only. API tokens need the scope read. */
  'GET /api/books/open': {
    query: {
      day: Day;
    };
    answer: OpenBooks;
  };
  /** Lists bundles. API tokens need the scope read. */
  'GET /api/bundles': {
    query?: {
      q?: string;
      state?: 'removed' | 'incomplete';
      page?: PageParam;
      /** Rows per page. */
      size?: 10 | 25 | 50 | 100;
    };
    answer: BundlesPage;
  };
  /** Replaces the components of each bundle in the request. API tokens need the scope catalog. */
  'POST /api/bundles/bulk': {
    query?: {
      seen?: string;
      restores?: 'true';
    };
    body: SaveBundles;
    answer: BundleComponents;
  };
  /** Confirms that SKUs are not bundles. API tokens need the scope catalog. */
  'POST /api/bundles/confirm-single': {
    body: ConfirmSingle;
    answer: ConfirmedSingle;
  };
  /** Downloads the matching bundles as a file that can be imported. API tokens need the scope read. */
  'GET /api/bundles/export.csv': {
    query?: {
      q?: string;
      state?: 'removed' | 'incomplete';
    };
    answer: string;
  };
  /** Shows the cost of components, and their effect on margins, before they are saved. API tokens need the scope read. */
  'POST /api/bundles/preview': {
    body: BundleQuestion;
    answer: BundlePreview;
  };
  /** Removes the components of a bundle; its listings are blocked until a user confirms that it is not a bundle. API tokens need the scope catalog. */
  'DELETE /api/bundles/{listingSku}': {
    path: {
      listingSku: string;
    };
    answer: RemovedBundle;
  };
  /** Lists the components of a bundle. API tokens need the scope read. */
  'GET /api/bundles/{listingSku}': {
    path: {
      listingSku: string;
    };
    answer: BundleComponents;
  };
  /** Counts listings by margin. API tokens need the scope read. */
  'GET /api/charts/margins': {
    answer: MarginDistribution;
  };
  /** Counts price changes by day. API tokens need the scope read. */
  'GET /api/charts/price-changes': {
    query?: {
      days?: '14' | '30';
      zone?: Zone;
    };
    answer: PriceDays;
  };
  /** Counts price changes and won buy boxes by day. API tokens need the scope read. */
  'GET /api/charts/repricing': {
    query: {
      from: Day;
      to: Day;
      zone?: Zone;
    };
    answer: RepricingDays;
  };
  /** Counts the price changes by rules since midnight, with their effect at the same volume. API tokens need the scope read. */
  'GET /api/charts/today': {
    query?: {
      zone?: Zone;
    };
    answer: Today;
  };
  /** Lists competitor prices of a listing, newest first. API tokens need the scope read. */
  'GET /api/competitor-prices/listing/{listingId}': {
    path: {
      listingId: Id;
    };
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      limit?: string;
    };
    answer: CompetitorPrices;
  };
  /** Lists the connection of each marketplace, its capabilities and its last sync. API tokens need the scope read. */
  'GET /api/connections': {
    answer: ConnectionList;
  };
  /** Lists eBay listings outside of its Inventory model, and what became of those that were to be moved. Administrators only. API tokens need the scope read. */
  'GET /api/connections/ebay/migrations': {
    query?: {
      search?: string;
    };
    answer: ListingMigrations;
  };
  /** Lists the rows of a marketplace that the last syncs did not take, and why. API tokens need the scope read. */
  'GET /api/connections/{marketplace}/passed-over': {
    path: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    };
    answer: PassedOverRows;
  };
  /** Says how often competitors are read on a marketplace, and how long an offer counts there. API tokens need the scope read. */
  'GET /api/connections/{marketplace}/refresh': {
    path: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    };
    answer: OfferRefresh;
  };
  /** Requests a full sync of a marketplace now. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'POST /api/connections/{marketplace}/sync': {
    path: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    };
    answer: SyncRequested;
  };
  /** Lists the costs of each listing. Administrators only. API tokens need the scope read. */
  'GET /api/costs': {
    query?: {
      q?: string;
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: CostsPage;
  };
  /** Lets prices change that are based on estimated fulfillment fees, or not. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'PUT /api/costs/estimates': {
    body: AcceptFeeEstimates;
    answer: FeeEstimates;
  };
  /** Counts listings that can be repriced, and what the others are missing. API tokens need the scope read. */
  'GET /api/coverage': {
    answer: Coverage;
  };
  /** Downloads SKUs without a cost or weight as a file that can be imported. API tokens need the scope read. */
  'GET /api/coverage/skus.csv': {
    query: {
      problem: 'no_sku' | 'no_product_cost' | 'no_weight';
    };
    answer: string;
  };
  /** Shows the repricing status, in total and by marketplace. API tokens need the scope read. */
  'GET /api/engine': {
    answer: EngineStatus;
  };
  /** Halts repricing on all marketplaces. API tokens need the scope engine. */
  'POST /api/engine/halt': {
    body?: Halt | null;
    answer: EngineStatus;
  };
  /** Shows what the next run would change. Administrators only. API tokens need the scope read. */
  'GET /api/engine/plan': {
    query?: {
      marketplaces?: string;
    };
    answer: string;
  };
  /** Switches marketplaces to recommend only. API tokens need the scope engine. */
  'POST /api/engine/recommend-only': {
    body: SetRecommendOnly;
    answer: EngineStatus;
  };
  /** Lists fee categories with lower fees that listings probably have and that wait to be accepted. Administrators only. API tokens need the scope read. */
  'GET /api/fee-categories': {
    answer: CategorySuggestions;
  };
  /** Accepts the lower fees of a category for the listings that wait for it. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'POST /api/fee-categories/accept': {
    body: AcceptCategory;
    answer: CategorySuggestions;
  };
  /** Lists where a marketplace charged another commission than the fee schedule has. API tokens need the scope read. */
  'GET /api/fee-drift': {
    answer: FeeDrifts;
  };
  /** Lists what the marketplace told of the fees of a listing, the newest answer first. API tokens need the scope read. */
  'GET /api/fee-facts': {
    query: {
      listing: Id;
    };
    answer: FeeFacts;
  };
  /** Accepts or rejects a lower fee before it is told again, or one out of range. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'POST /api/fee-facts/decide': {
    body: DecideFees;
    answer: FeesDecided;
  };
  /** Saves the seller's plan with a marketplace, its sales tax, and shares for advertising and returns. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'PUT /api/fee-terms/{marketplace}': {
    path: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    };
    body: FeeTermsInput;
    answer: Fees;
  };
  /** Lists the marketplaces' fee schedules. Administrators only. API tokens need the scope read. */
  'GET /api/fees': {
    answer: Fees;
  };
  /** Creates a fee schedule. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'POST /api/fees': {
    body: FeeScheduleInput;
    answer: FeeScheduleView;
  };
  /** Counts the listings that a fee schedule would put below their margin floor, before it is saved. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope read. */
  'POST /api/fees/impact': {
    body: FeeImpactQuestion;
    answer: FeeImpact;
  };
  /** Deletes a fee schedule. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'DELETE /api/fees/{id}': {
    path: {
      id: Id;
    };
    query?: {
      blocking?: string;
    };
    answer: undefined;
  };
  /** Changes a fee schedule. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'PUT /api/fees/{id}': {
    path: {
      id: Id;
    };
    body: FeeScheduleInput;
    answer: FeeScheduleView;
  };
  /** Lists price changes, newest first. API tokens need the scope read. */
  'GET /api/history': {
    query?: {
      q?: string;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      source?: 
        | 'rule'
        | 'person'
        | 'apply'
        | 'undo'
        | 'repair'
        | 'import'
        | 'observed'
        | 'ours';
      changedBy?: string;
      days?: string;
      from?: Day;
      to?: Day;
      zone?: Zone;
      listing?: Id;
      run?: Id;
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: HistoryPage;
  };
  /** Downloads the matching price changes. API tokens need the scope read. */
  'GET /api/history/export.csv': {
    query?: {
      q?: string;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      source?: 
        | 'rule'
        | 'person'
        | 'apply'
        | 'undo'
        | 'repair'
        | 'import'
        | 'observed'
        | 'ours';
      changedBy?: string;
      days?: string;
      from?: Day;
      to?: Day;
      zone?: Zone;
      listing?: Id;
      run?: Id;
    };
    answer: string;
  };
  /** Undoes a set of price changes as previewed, as new checked changes. API tokens need the scope prices. */
  'POST /api/history/undo': {
    body: UndoChanges;
    answer: BulkOutcome;
  };
  /** Shows what undoing a set of price changes would do now. API tokens need the scope read. */
  'GET /api/history/undo-preview': {
    query?: {
      q?: string;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      source?: 
        | 'rule'
        | 'person'
        | 'apply'
        | 'undo'
        | 'repair'
        | 'import'
        | 'observed'
        | 'ours';
      changedBy?: string;
      days?: string;
      from?: Day;
      to?: Day;
      zone?: Zone;
      listing?: Id;
      run?: Id;
      since?: Moment;
      until?: Moment;
      rule?: Id | 'none';
      ofRuns?: 'true';
    };
    answer: UndoPreview;
  };
  /** Explains a price change with the data it was decided on. API tokens need the scope read. */
  'GET /api/history/{listingId}/{id}/explanation': {
    path: {
      listingId: Id;
      id: Id;
    };
    answer: PriceExplanation;
  };
  /** Reverts a price change, as a new checked change. API tokens need the scope prices. */
  'POST /api/history/{listingId}/{id}/revert': {
    path: {
      listingId: Id;
      id: Id;
    };
    body: RevertPrice;
    answer: ListingRow;
  };
  /** Lists the newest imports. API tokens need the scope read. */
  'GET /api/imports': {
    answer: Import[];
  };
  /** Uploads a file to import. API tokens need the scope catalog. */
  'POST /api/imports': {
    query: {
      kind: 'skus' | 'listings' | 'bundles' | 'tiers' | 'rules' | 'offers' | 'fees';
      name: string;
      from?: Id;
    };
    body: Blob;
    answer: Import;
  };
  /** Downloads a template with the right columns. API tokens need the scope read. */
  'GET /api/imports/template/{file}': {
    path: {
      file: 
        | 'skus.csv'
        | 'listings.csv'
        | 'bundles.csv'
        | 'tiers.csv'
        | 'rules.csv'
        | 'offers.csv'
        | 'fees.csv';
    };
    answer: string;
  };
  /** Deletes an uploaded file with its report. API tokens need the scope catalog. */
  'DELETE /api/imports/{id}': {
    path: {
      id: Id;
    };
    answer: undefined;
  };
  /** Shows an import: its columns, check and result. API tokens need the scope read. */
  'GET /api/imports/{id}': {
    path: {
      id: Id;
    };
    answer: Import;
  };
  /** Lists the checked rows of an import by status. API tokens need the scope read. */
  'GET /api/imports/{id}/lines': {
    path: {
      id: Id;
    };
    query: {
      status: 'create' | 'update' | 'unchanged' | 'rejected';
    };
    answer: ImportLines;
  };
  /** Maps the columns, and checks the file. API tokens need the scope catalog. */
  'PUT /api/imports/{id}/mapping': {
    path: {
      id: Id;
    };
    body: MapColumns;
    answer: Import;
  };
  /** Downloads the rejected rows with their errors as a file that can be imported. API tokens need the scope read. */
  'GET /api/imports/{id}/rejected.csv': {
    path: {
      id: Id;
    };
    answer: string;
  };
  /** Imports the checked rows. API tokens need the scope catalog. */
  'POST /api/imports/{id}/run': {
    path: {
      id: Id;
    };
    body: RunImport;
    answer: Import;
  };
  /** Lists your jobs, and those of other users that concern everyone. API tokens need the scope read. */
  'GET /api/jobs': {
    query?: {
      state?: 'failed';
    };
    answer: Jobs;
  };
  /** Shows a job. API tokens need the scope read. */
  'GET /api/jobs/{id}': {
    path: {
      id: Id;
    };
    answer: JobReport;
  };
  /** Cancels a job. API tokens need the scope engine. */
  'POST /api/jobs/{id}/cancel': {
    path: {
      id: Id;
    };
    answer: Job;
  };
  /** Lists what a job skipped, and why. API tokens need the scope read. */
  'GET /api/jobs/{id}/refusals': {
    path: {
      id: Id;
    };
    query?: {
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100;
    };
    answer: JobRefusals;
  };
  /** Downloads what a job skipped, and why. API tokens need the scope read. */
  'GET /api/jobs/{id}/refusals.csv': {
    path: {
      id: Id;
    };
    answer: string;
  };
  /** Shows rating, rank and buy box of a listing. API tokens need the scope read. */
  'GET /api/listing-analytics/{listingId}': {
    path: {
      listingId: Id;
    };
    answer: ListingAnalytics;
  };
  /** Lists listings. API tokens need the scope read. */
  'GET /api/listings': {
    query?: {
      q?: string;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      fulfillment?: 'FBA/WFS' | 'FBM';
      state?: 
        | 'repriceable'
        | 'blocked'
        | 'below_floor'
        | 'at_floor'
        | 'recommended'
        | 'held'
        | 'to_upload'
        | 'upload_late'
        | 'external_edit'
        | 'held_back'
        | 'price_war'
        | 'in_progress'
        | 'buy_box_lost'
        | 'fee_differs'
        | 'fee_unknown'
        | 'loses_money'
        | 'business_price_low'
        | 'business_price_hidden'
        | 'best_offer_low'
        | 'profit_unknown'
        | 'attention'
        | 'on'
        | 'off';
      problem?: 
        | 'gone'
        | 'no_sku'
        | 'no_product_cost'
        | 'no_component'
        | 'bundle_in_bundle'
        | 'no_weight'
        | 'no_tier'
        | 'no_fulfillment_cost'
        | 'bundle_unconfirmed'
        | 'unreadable'
        | 'no_fee_schedule'
        | 'unreadable_rule'
        | 'unreadable_price'
        | 'unreadable_facts'
        | 'margin_impossible'
        | 'minimum_above_maximum'
        | 'floor_above_maximum'
        | 'minimum_above_ceiling'
        | 'range_not_legal'
        | 'bounds_conflict'
        | 'group_blocked'
        | 'group_conflict'
        | 'no_rule';
      margin?: 'loss' | 'below_5' | 'below_10' | 'below_15' | 'from_15' | 'unknown';
      sold?: 'none' | 'some' | 'loss';
      rule?: Id;
      brand?: string;
      supplier?: string;
      tag?: string;
      sort?: string;
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: ListingsPage;
  };
  /** Applies the recommended prices of many listings. API tokens need the scope prices. */
  'POST /api/listings/apply': {
    body: ApplyMany;
    answer: ActionResult;
  };
  /** Shows what applying recommendations would change. API tokens need the scope read. */
  'POST /api/listings/apply-preview': {
    body: OnSelection;
    answer: ApplyPreview;
  };
  /** Deletes listings. API tokens need the scope catalog. */
  'POST /api/listings/delete': {
    body: DeleteListings;
    answer: ActionResult;
  };
  /** Changes settings of many listings. API tokens need the scope catalog. */
  'POST /api/listings/edit': {
    body: EditListings;
    answer: ActionResult;
  };
  /** Shows how new costs of many listings would change margin floors and the profit of sales so far. API tokens need the scope read. */
  'POST /api/listings/edit-impact': {
    body: EditImpactRequest;
    answer: EditImpact;
  };
  /** Downloads the matching listings. API tokens need the scope read. */
  'GET /api/listings/export.csv': {
    query?: {
      q?: string;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      fulfillment?: 'FBA/WFS' | 'FBM';
      state?: 
        | 'repriceable'
        | 'blocked'
        | 'below_floor'
        | 'at_floor'
        | 'recommended'
        | 'held'
        | 'to_upload'
        | 'upload_late'
        | 'external_edit'
        | 'held_back'
        | 'price_war'
        | 'in_progress'
        | 'buy_box_lost'
        | 'fee_differs'
        | 'fee_unknown'
        | 'loses_money'
        | 'business_price_low'
        | 'business_price_hidden'
        | 'best_offer_low'
        | 'profit_unknown'
        | 'attention'
        | 'on'
        | 'off';
      problem?: 
        | 'gone'
        | 'no_sku'
        | 'no_product_cost'
        | 'no_component'
        | 'bundle_in_bundle'
        | 'no_weight'
        | 'no_tier'
        | 'no_fulfillment_cost'
        | 'bundle_unconfirmed'
        | 'unreadable'
        | 'no_fee_schedule'
        | 'unreadable_rule'
        | 'unreadable_price'
        | 'unreadable_facts'
        | 'margin_impossible'
        | 'minimum_above_maximum'
        | 'floor_above_maximum'
        | 'minimum_above_ceiling'
        | 'range_not_legal'
        | 'bounds_conflict'
        | 'group_blocked'
        | 'group_conflict'
        | 'no_rule';
      margin?: 'loss' | 'below_5' | 'below_10' | 'below_15' | 'from_15' | 'unknown';
      sold?: 'none' | 'some' | 'loss';
      rule?: Id;
      brand?: string;
      supplier?: string;
      tag?: string;
      sort?: string;
      ids?: string;
      columns?: string;
    };
    answer: string;
  };
  /** Puts listings on hold until a time or until resumed. API tokens need the scope prices. */
  'POST /api/listings/hold': {
    body: HoldListings;
    answer: ActionResult;
  };
  /** Lists brands, suppliers or tags, and how many listings have each. API tokens need the scope read. */
  'GET /api/listings/labels': {
    query: {
      of: 'brand' | 'supplier' | 'tag' | 'category';
      q?: string;
    };
    answer: LabelCounts;
  };
  /** Sets minimum and maximum prices as previewed. API tokens need the scope prices. */
  'POST /api/listings/limits': {
    body: SetLimits;
    answer: ActionResult;
  };
  /** Calculates minimum and maximum prices, and their effect. API tokens need the scope read. */
  'POST /api/listings/limits-preview': {
    body: PreviewLimits;
    answer: LimitPlan;
  };
  /** Ends holds of listings. API tokens need the scope prices. */
  'POST /api/listings/resume': {
    body: OnSelection;
    answer: ActionResult;
  };
  /** Lists the rules that price the listings of a filter, and how many each. API tokens need the scope read. */
  'GET /api/listings/rules': {
    query?: {
      q?: string;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      fulfillment?: 'FBA/WFS' | 'FBM';
      state?: 
        | 'repriceable'
        | 'blocked'
        | 'below_floor'
        | 'at_floor'
        | 'recommended'
        | 'held'
        | 'to_upload'
        | 'upload_late'
        | 'external_edit'
        | 'held_back'
        | 'price_war'
        | 'in_progress'
        | 'buy_box_lost'
        | 'fee_differs'
        | 'fee_unknown'
        | 'loses_money'
        | 'business_price_low'
        | 'business_price_hidden'
        | 'best_offer_low'
        | 'profit_unknown'
        | 'attention'
        | 'on'
        | 'off';
      problem?: 
        | 'gone'
        | 'no_sku'
        | 'no_product_cost'
        | 'no_component'
        | 'bundle_in_bundle'
        | 'no_weight'
        | 'no_tier'
        | 'no_fulfillment_cost'
        | 'bundle_unconfirmed'
        | 'unreadable'
        | 'no_fee_schedule'
        | 'unreadable_rule'
        | 'unreadable_price'
        | 'unreadable_facts'
        | 'margin_impossible'
        | 'minimum_above_maximum'
        | 'floor_above_maximum'
        | 'minimum_above_ceiling'
        | 'range_not_legal'
        | 'bounds_conflict'
        | 'group_blocked'
        | 'group_conflict'
        | 'no_rule';
      margin?: 'loss' | 'below_5' | 'below_10' | 'below_15' | 'from_15' | 'unknown';
      sold?: 'none' | 'some' | 'loss';
      rule?: Id;
      brand?: string;
      supplier?: string;
      tag?: string;
    };
    answer: RulesOfListings;
  };
  /** Restores deleted listings. API tokens need the scope catalog. */
  'POST /api/listings/undelete': {
    body: UndeleteListings;
    answer: BulkOutcome;
  };
  /** Undoes one of your actions on listings that have not changed after it. API tokens need the scope prices. */
  'POST /api/listings/undo': {
    body: UndoAction;
    answer: BulkOutcome;
  };
  /** Marks prices as uploaded manually. API tokens need the scope prices. */
  'POST /api/listings/uploaded': {
    body: OnSelection;
    answer: ActionResult;
  };
  /** Counts the listings of each built-in view. API tokens need the scope read. */
  'GET /api/listings/view-totals': {
    answer: ListingViewTotals;
  };
  /** Shows one listing. API tokens need the scope read. */
  'GET /api/listings/{id}': {
    path: {
      id: Id;
    };
    answer: ListingRow;
  };
  /** Changes settings of one listing. API tokens need the scope catalog. */
  'PUT /api/listings/{id}': {
    path: {
      id: Id;
    };
    body: EditListing;
    answer: ListingRow;
  };
  /** Applies the recommended price of one listing. API tokens need the scope prices. */
  'POST /api/listings/{id}/apply': {
    path: {
      id: Id;
    };
    body: ApplyOne;
    answer: ListingRow;
  };
  /** Shows what is known about the competitors of a listing. API tokens need the scope read. */
  'GET /api/listings/{id}/competition': {
    path: {
      id: Id;
    };
    answer: ListingCompetition;
  };
  /** Shows the cost of a listing, part by part. API tokens need the scope read. */
  'GET /api/listings/{id}/costs': {
    path: {
      id: Id;
    };
    answer: ListingCosts;
  };
  /** Changes the cost of a listing and of its SKU. API tokens need the scope catalog. */
  'PUT /api/listings/{id}/costs': {
    path: {
      id: Id;
    };
    body: EditListingCosts;
    answer: SavedCosts;
  };
  /** Shows how new costs would change the profit of sales so far. API tokens need the scope read. */
  'POST /api/listings/{id}/costs/impact': {
    path: {
      id: Id;
    };
    body: ListingCostImpactRequest;
    answer: SalesImpact;
  };
  /** Explains the current price of a listing, with current data. API tokens need the scope read. */
  'GET /api/listings/{id}/explanation': {
    path: {
      id: Id;
    };
    answer: PriceExplanation;
  };
  /** Shows a price that was changed on the marketplace to one that is not allowed. API tokens need the scope read. */
  'GET /api/listings/{id}/external-edit': {
    path: {
      id: Id;
    };
    answer: ListingEdit;
  };
  /** Leaves such a price as it was, with the listing on hold. API tokens need the scope prices. */
  'POST /api/listings/{id}/external-edit/leave': {
    path: {
      id: Id;
    };
    body: LeaveEdit;
    answer: ListingRow;
  };
  /** Sets the nearest allowed price instead. API tokens need the scope prices. */
  'POST /api/listings/{id}/external-edit/repair': {
    path: {
      id: Id;
    };
    body: RepairEdit;
    answer: ListingRow;
  };
  /** Shows whether a listing is for sale on its marketplace, and its stock there. API tokens need the scope read. */
  'GET /api/listings/{id}/on-marketplace': {
    path: {
      id: Id;
    };
    answer: OnMarketplace;
  };
  /** Sets a price manually. API tokens need the scope prices. */
  'PUT /api/listings/{id}/price': {
    path: {
      id: Id;
    };
    body: SetPrice;
    answer: ListingRow;
  };
  /** Shows prices of a listing and of its competitors over time. API tokens need the scope read. */
  'GET /api/listings/{id}/price-chart': {
    path: {
      id: Id;
    };
    query?: {
      dateRange?: '7' | '30' | '90';
    };
    answer: PriceChart;
  };
  /** Checks a price against margin and limits before it is set. API tokens need the scope read. */
  'GET /api/listings/{id}/price-check': {
    path: {
      id: Id;
    };
    query: {
      price: PriceInput;
    };
    answer: PriceCheck;
  };
  /** Explains the recommended price of a listing. API tokens need the scope read. */
  'GET /api/listings/{id}/recommendation': {
    path: {
      id: Id;
    };
    answer: PriceExplanation;
  };
  /** Sends a rejected price again. API tokens need the scope prices. */
  'POST /api/listings/{id}/retry': {
    path: {
      id: Id;
    };
    body: RetryPrice;
    answer: ListingRow;
  };
  /** Lists what marketplaces booked, amount by amount. Administrators only. API tokens need the scope read. */
  'GET /api/money-events': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      kind?: 
        | 'principal'
        | 'shipping'
        | 'discount'
        | 'funded'
        | 'commission'
        | 'closing'
        | 'per_order'
        | 'renewal'
        | 'payment'
        | 'fulfillment'
        | 'ad'
        | 'label'
        | 'refund_principal'
        | 'refund_shipping'
        | 'refund_commission'
        | 'refund_other'
        | 'refund_fee'
        | 'storage'
        | 'reimbursement'
        | 'tax'
        | 'transfer'
        | 'other';
      unmatched?: 'true';
      settlement?: string;
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: MoneyEvents;
  };
  /** Downloads the matching amounts. Administrators only. API tokens need the scope read. */
  'GET /api/money-events/export.csv': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      kind?: 
        | 'principal'
        | 'shipping'
        | 'discount'
        | 'funded'
        | 'commission'
        | 'closing'
        | 'per_order'
        | 'renewal'
        | 'payment'
        | 'fulfillment'
        | 'ad'
        | 'label'
        | 'refund_principal'
        | 'refund_shipping'
        | 'refund_commission'
        | 'refund_other'
        | 'refund_fee'
        | 'storage'
        | 'reimbursement'
        | 'tax'
        | 'transfer'
        | 'other';
      unmatched?: 'true';
      settlement?: string;
    };
    answer: string;
  };
  /** Adds up what marketplaces booked, by kind. Administrators only. API tokens need the scope read. */
  'GET /api/money-events/kinds': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      unmatched?: 'true';
      settlement?: string;
    };
    answer: MoneyKinds;
  };
  /** Lists your seller names, and names that may be yours. API tokens need the scope read. */
  'GET /api/own-sellers': {
    answer: OwnSellers;
  };
  /** Downloads the prices to upload to a marketplace. API tokens need the scope prices. */
  'GET /api/price-file/{marketplace}.csv': {
    path: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    };
    answer: string;
  };
  /** Marks a price file as uploaded. API tokens need the scope prices. */
  'POST /api/price-file/{marketplace}/uploaded': {
    path: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    };
    body: PriceFileUploaded;
    answer: PriceFileCleared;
  };
  /** Shows profit by day, marketplace, listing, SKU, rule or run. API tokens need the scope read. */
  'GET /api/profit': {
    query: {
      group?: 'day' | 'marketplace' | 'listing' | 'sku' | 'rule' | 'run';
      from: Day;
      to: Day;
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      sort?: string;
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200 | 400;
    };
    answer: Profit;
  };
  /** Lists booked amounts that could not be taken, and why. Administrators only. API tokens need the scope read. */
  'GET /api/refused-money': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: RefusedMoneyPage;
  };
  /** Shows the repricing limits of all rules. API tokens need the scope read. */
  'GET /api/repricing-limits': {
    answer: RepricingLimits;
  };
  /** Lists rules. API tokens need the scope read. */
  'GET /api/rules': {
    answer: RuleList;
  };
  /** Creates a rule. API tokens need the scope prices. */
  'POST /api/rules': {
    body: CreateRule;
    answer: Rule;
  };
  /** Turns rules on or off. API tokens need the scope prices. */
  'POST /api/rules/active': {
    body: SetRulesActive;
    answer: RulesChanged;
  };
  /** Deletes rules. API tokens need the scope prices. */
  'POST /api/rules/delete': {
    body: OnRules;
    answer: RulesDeleted;
  };
  /** Shows what a rule would do with one listing, line by line. API tokens need the scope read. */
  'POST /api/rules/explain': {
    body: ExplainRule;
    answer: DraftExplanation;
  };
  /** Downloads all rules as a file that can be imported. API tokens need the scope read. */
  'GET /api/rules/export.csv': {
    answer: string;
  };
  /** Shows which listings would lose their rule, and which rule they would get. API tokens need the scope read. */
  'POST /api/rules/impact': {
    body: OnRules;
    answer: RuleImpact;
  };
  /** Previews a rule without changing a price. API tokens need the scope read. */
  'POST /api/rules/preview': {
    body: PreviewRule;
    answer: RulePreview;
  };
  /** Counts the listings that a rule would match and price, and where the others go. API tokens need the scope read. */
  'POST /api/rules/scope': {
    body: CountRuleScope;
    answer: RuleScopeCounts;
  };
  /** Restores deleted rules. API tokens need the scope prices. */
  'POST /api/rules/undelete': {
    body: OnRules;
    answer: RulesChanged;
  };
  /** Deletes a rule. API tokens need the scope prices. */
  'DELETE /api/rules/{id}': {
    path: {
      id: Id;
    };
    answer: RulesDeleted;
  };
  /** Changes a rule. API tokens need the scope prices. */
  'PUT /api/rules/{id}': {
    path: {
      id: Id;
    };
    body: EditRule;
    answer: Rule;
  };
  /** Turns a rule on or off. API tokens need the scope prices. */
  'PUT /api/rules/{id}/active': {
    path: {
      id: Id;
    };
    body: SetRuleActive;
    answer: RulesChanged;
  };
  /** Compares what the listings of a rule sold since its first price with as many days before. API tokens need the scope read. */
  'GET /api/rules/{id}/earnings': {
    path: {
      id: Id;
    };
    answer: RuleEarnings;
  };
  /** Lists repricing runs, newest first. API tokens need the scope read. */
  'GET /api/runs': {
    query?: {
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100;
      withEffect?: 'true' | 'false';
      only?: 'people' | 'stopped';
      from?: Day;
      to?: Day;
      zone?: Zone;
    };
    answer: RunsPage;
  };
  /** Starts a run over all listings. API tokens need the scope engine. */
  'POST /api/runs': {
    answer: Run;
  };
  /** Lists what runs changed, by hour, day, marketplace or rule. API tokens need the scope read. */
  'GET /api/runs/groups': {
    query: {
      by: 'hour' | 'day' | 'marketplace' | 'rule';
      from?: Day;
      to?: Day;
      zone?: Zone;
    };
    answer: RunGroups;
  };
  /** Shows a run. API tokens need the scope read. */
  'GET /api/runs/{id}': {
    path: {
      id: Id;
    };
    answer: RunDetail;
  };
  /** Lists what a run decided. API tokens need the scope read. */
  'GET /api/runs/{id}/items': {
    path: {
      id: Id;
    };
    query?: {
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100;
      outcome?: 'change' | 'recommend' | 'blocked';
    };
    answer: RunItemsPage;
  };
  /** Downloads what a run decided. API tokens need the scope read. */
  'GET /api/runs/{id}/items.csv': {
    path: {
      id: Id;
    };
    answer: string;
  };
  /** Undoes a run, as new checked changes. API tokens need the scope prices. */
  'POST /api/runs/{id}/undo': {
    path: {
      id: Id;
    };
    body: UndoRun;
    answer: BulkOutcome;
  };
  /** Lists sales with what they earned. API tokens need the scope read. */
  'GET /api/sales': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      listing?: Id;
      rule?: Id;
      run?: Id;
      state?: 'estimated' | 'partly_told' | 'told';
      known?: 'true' | 'false';
      late?: 'true';
      below?: 'true' | 'false';
      from?: Day;
      to?: Day;
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: SalesPage;
  };
  /** Shows the sales of a listing over 7, 30 or 90 days. API tokens need the scope read. */
  'GET /api/sales-history/metrics/{listingId}': {
    path: {
      listingId: Id;
    };
    query?: {
      dateRange?: '7' | '30' | '90';
    };
    answer: SalesMetrics;
  };
  /** Downloads the matching sales with every part of their profit. API tokens need the scope read. */
  'GET /api/sales/export.csv': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      listing?: Id;
      rule?: Id;
      run?: Id;
      state?: 'estimated' | 'partly_told' | 'told';
      known?: 'true' | 'false';
      late?: 'true';
      below?: 'true' | 'false';
      from?: Day;
      to?: Day;
    };
    answer: string;
  };
  /** Shows a sale, and whether what was told of its fees is as estimated. API tokens need the scope read. */
  'GET /api/sales/{id}': {
    path: {
      id: Id;
    };
    answer: SaleDetail;
  };
  /** Enters how many units of a sale came back into stock. API tokens need the scope catalog. */
  'PUT /api/sales/{id}/restocked': {
    path: {
      id: Id;
    };
    body: RestockSale;
    answer: RestockedSale;
  };
  /** Finds listings and SKUs by part of the SKU or title. API tokens need the scope read. */
  'GET /api/search': {
    query: {
      q: string;
    };
    answer: SearchAnswer;
  };
  /** Lists settlements and payouts, and whether the booked amounts add up to them. Administrators only. API tokens need the scope read. */
  'GET /api/settlements': {
    query?: {
      marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      page?: PageParam;
      /** Rows per page. */
      size?: 25 | 50 | 100 | 200;
    };
    answer: Settlements;
  };
  /** Shows the setup steps. API tokens need the scope read. */
  'GET /api/setup': {
    answer: Setup;
  };
  /** Lists shipping tiers, with gaps between them. API tokens need the scope read. */
  'GET /api/shipping-tiers': {
    answer: Tiers;
  };
  /** Creates a shipping tier. API tokens need the scope catalog. */
  'POST /api/shipping-tiers': {
    body: NewTier;
    answer: CreatedTiers;
  };
  /** Deletes shipping tiers. API tokens need the scope catalog. */
  'POST /api/shipping-tiers/delete': {
    body: DeleteTiers;
    answer: DeletedTiers;
  };
  /** Shows how a shipping tier would change the profit of sales so far. API tokens need the scope read. */
  'POST /api/shipping-tiers/impact': {
    body: TierImpactRequest;
    answer: SalesImpact;
  };
  /** Deletes a shipping tier. API tokens need the scope catalog. */
  'DELETE /api/shipping-tiers/{id}': {
    path: {
      id: Id;
    };
    answer: DeletedTiers;
  };
  /** Changes a shipping tier. API tokens need the scope catalog. */
  'PUT /api/shipping-tiers/{id}': {
    path: {
      id: Id;
    };
    body: EditTier;
    answer: Tier;
  };
  /** Lists SKUs. API tokens need the scope read. */
  'GET /api/skus': {
    query?: {
      q?: string;
      brand?: string;
      supplier?: string;
      tag?: string;
      sort?: string;
      page?: PageParam;
      /** Rows per page. */
      pageSize?: 10 | 25 | 50 | 100 | 250;
    };
    answer: SkusPage;
  };
  /** Creates a SKU. API tokens need the scope catalog. */
  'POST /api/skus': {
    body: NewSku;
    answer: CreatedSku;
  };
  /** Deletes SKUs. API tokens need the scope catalog. */
  'POST /api/skus/delete': {
    body: OnSkus;
    answer: SkusDone;
  };
  /** Downloads the matching SKUs as a file that can be imported. API tokens need the scope read. */
  'GET /api/skus/export.csv': {
    query?: {
      q?: string;
      brand?: string;
      supplier?: string;
      tag?: string;
      sort?: string;
      ids?: string;
    };
    answer: string;
  };
  /** Marks SKUs as hazardous goods, or no longer. API tokens need the scope catalog. */
  'POST /api/skus/hazardous': {
    body: MarkHazardous;
    answer: SkusDone;
  };
  /** Lists brands, suppliers or tags, and how many SKUs have each. API tokens need the scope read. */
  'GET /api/skus/labels': {
    query: {
      of: 'brand' | 'supplier' | 'tag';
      q?: string;
    };
    answer: LabelCounts;
  };
  /** Lists SKUs with a similar code. API tokens need the scope read. */
  'GET /api/skus/similar': {
    query: {
      sku: string;
    };
    answer: SimilarSkus;
  };
  /** Restores deleted SKUs. API tokens need the scope catalog. */
  'POST /api/skus/undelete': {
    body: UndeleteSkus;
    answer: SkusDone;
  };
  /** Counts the listings and bundles that use SKUs. API tokens need the scope read. */
  'POST /api/skus/uses': {
    body: OnSkus;
    answer: SkuUses;
  };
  /** Shows one SKU. API tokens need the scope read. */
  'GET /api/skus/{id}': {
    path: {
      id: Id;
    };
    answer: Sku;
  };
  /** Changes a SKU. API tokens need the scope catalog. */
  'PUT /api/skus/{id}': {
    path: {
      id: Id;
    };
    body: EditSku;
    answer: SavedSku;
  };
  /** Shows how new costs would affect listings and bundles. API tokens need the scope read. */
  'POST /api/skus/{id}/impact': {
    path: {
      id: Id;
    };
    body: SkuImpactRequest;
    answer: SkuImpact;
  };
  /** Returns the figures of the Dashboard. API tokens need the scope read. */
  'GET /api/stats': {
    answer: Stats;
  };
  /** Syncs new SKUs from Veeqo. Administrators only. Requires two-factor authentication if the server does. API tokens need the scope catalog. */
  'POST /api/veeqo/sync': {
    answer: VeeqoSync;
  };
  /** Lists saved views: your own and shared ones. API tokens need the scope read. */
  'GET /api/views': {
    query: {
      list: 'listings' | 'history' | 'skus';
    };
    answer: Views;
  };
}

export type AcceptCategory = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  category: string;
  listings: number;
};

export type AcceptFeeEstimates = {
  areAccepted: boolean;
};

export type ActionResult = {
  done: number;
  inProgress?: number;
  refusedCount: number;
  refused: ({
    listingId: Id;
    sku: string;
    message: string;
  })[];
  jobId: Id | null;
  undoId: string | null;
};

export type Alerts = {
  unseen: number;
  alerts: ({
    id: string;
    kind: 
      | 'halted'
      | 'mode_reset'
      | 'no_check'
      | 'sending_stuck'
      | 'external_edit'
      | 'unknown'
      | 'refused'
      | 'sending_paused'
      | 'connection'
      | 'credentials'
      | 'webhook_receiver'
      | 'fee_breaker'
      | 'fee_drift'
      | 'backup'
      | 'lowered_floors'
      | 'hidden_clients'
      | 'below_floor'
      | 'business_price'
      | 'rule_inactive';
    message: string;
    link: string;
    startedAt: Moment;
    endedAt: Moment | null;
  })[];
};

/** An amount that may be zero: a decimal string such as "19.99". */
export type AmountInput = string;

export type ApplyMany = {
  selection: ListingSelection;
  despiteReasons?: DespiteReasons;
};

export type ApplyOne = {
  shown: PriceInput;
  despiteReasons?: DespiteReasons;
};

export type ApplyPreview = {
  count: number;
  blockedCount: number;
  raised: number;
  lowered: number;
  rows: ({
    listingId: Id;
    sku: string;
    title: string;
    oldPrice: Money;
    newPrice: Money;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
  })[];
  blocked: ({
    listingId: Id;
    sku: string;
    message: string;
  })[];
};

export type Attention = {
  isHalted: boolean;
  items: ({
    kind: 
      | 'below_floor'
      | 'held_back'
      | 'price_war'
      | 'upload_late'
      | 'buy_box_lost'
      | 'failed_jobs';
    count: number;
  })[];
  lossPerSale: Money;
  waiting: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    mode: 'live' | 'recommend_only';
    count: number;
  })[];
};

export type BelowMarginFloor = {
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  title: string;
  currentPrice: Money;
  marginFloor: Money;
};

export type Books = {
  closedUntil: Day | null;
  timeZone: string;
};

export type BulkOutcome = {
  done: number;
  inProgress?: number;
  refusedCount: number;
  refused: ({
    listingId: Id;
    sku: string;
    message: string;
  })[];
  jobId: Id | null;
};

export type BundleComponent = {
  productCost: Money | null;
  weightOz: number | null;
  packagingCost: Money;
  miscCost: Money;
  id: Id;
  listingSku: string;
  componentSkuId: Id;
  quantity: number;
  sku: string;
  name: string;
  isDeleted: boolean;
};

export type BundleComponents = BundleComponent[];

export type BundlePreview = {
  listings: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    fulfillmentType: 'FBA/WFS' | 'FBM';
    title: string;
    currentPrice: Money;
    before: {
      totalCost: Money | null;
      margin: Margin | null;
      marginFloor: Money | null;
      isBelowMarginFloor: boolean;
      missing: string[];
    };
    after: {
      totalCost: Money | null;
      margin: Margin | null;
      marginFloor: Money | null;
      isBelowMarginFloor: boolean;
      missing: string[];
    };
  })[];
  ownSku: {
      productCost: Money | null;
      weightOz: number | null;
      packagingCost: Money;
      miscCost: Money;
    } | null;
  bundlesInside: string[];
  isUnconfirmed: boolean;
};

export type BundleQuestion = {
  listingSku: string;
  components: ({
    componentSkuId: Id;
    quantity?: number;
  })[];
};

export type BundleRow = {
  listingSku: string;
  title: string | null;
  marketplaces: ('walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify')[];
  components: number;
  units: number;
  state: 'removed' | 'incomplete' | null;
};

export type BundlesPage = {
  rows: BundleRow[];
  total: number;
};

export type CategorySuggestions = {
  suggestions: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    category: string;
    listings: number;
    shown: ({
      listingId: Id;
      sku: string;
      title: string;
      currentPrice: Money;
    })[];
  })[];
};

export type ChangeFilter = {
  q?: string;
  marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  source?: 
    | 'rule'
    | 'person'
    | 'apply'
    | 'undo'
    | 'repair'
    | 'import'
    | 'observed'
    | 'ours';
  changedBy?: string;
  days?: string;
  from?: Day;
  to?: Day;
  zone?: Zone;
  listing?: Id;
  run?: Id;
  since?: Moment;
  until?: Moment;
  rule?: Id | 'none';
  ofRuns?: 'true';
};

export type CompetitorPrice = {
  id: Id;
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  amazonDirectPrice: Money | null;
  walmartDirectPrice: Money | null;
  thirdPartyMinPrice: Money | null;
  thirdPartyMaxPrice: Money | null;
  thirdPartyAvgPrice: Money | null;
  thirdPartySellerCount: number;
  buyBoxPrice: Money | null;
  buyBoxSeller: string | null;
  isBuyBoxOurs: boolean;
  timestamp: Moment;
  lastSeenAt: Moment;
  staleAt: Moment;
};

export type CompetitorPrices = CompetitorPrice[];

export type ConfirmSingle = {
  listingSkus: string[];
};

export type ConfirmedSingle = {
  confirmed: number;
};

export type ConnectionCheck = {
  success: boolean;
  error: string | null;
  shopName: string | null;
  notes: string[];
  endsAt: Moment | null;
  checkedAt: Moment;
  milliseconds: number;
};

export type ConnectionList = {
  marketplaces: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    priceChannel: 'file' | 'connected' | 'read_only' | 'paused';
    why: string | null;
    lastCheck: ConnectionCheck | null;
    sync: {
      requestedAt: Moment | null;
      last: ({
        kind: 
          | 'listings'
          | 'offers'
          | 'sales'
          | 'figures'
          | 'fees'
          | 'money'
          | 'featured_prices';
        startedAt: Moment;
        endedAt: Moment | null;
        isRunning: boolean;
        succeededAt: Moment | null;
        counts: Record<string, number>;
        problem: string | null;
        failed: boolean;
        notes: string[];
      })[];
    };
    sendPauses: ({
      why: 
        | 'daily_limit'
        | 'revision_limit'
        | 'too_new'
        | 'unclear'
        | 'not_told'
        | 'business_price'
        | 'not_found';
      listings: number;
      sku: string | null;
      until: Moment;
    })[];
    externalEdits: 'repair_loss' | 'repair_floor' | 'hold';
    businessPrices: 'leave' | 'follow' | null;
    priceReadings: {
      lags: ({
        source: 'item' | 'list' | 'document' | 'event';
        minutes: number;
        readings: number;
      })[];
      check: {
          source: 'item' | 'list' | 'document' | 'event';
          startedAt: Moment;
          outcome: 'checking' | 'behind' | 'changed';
          compared: number;
          suspects: number;
        } | null;
    };
    eventSubscription: {
        since: Moment | null;
        lastAt: Moment | null;
        problem: string | null;
        failed: boolean;
      } | null;
    capabilities: {
      competitors: 'offers' | 'buy_box' | 'search' | 'none';
      publishing: 'immediate' | 'delayed';
      figures: ('reviews' | 'rank' | 'buy_box')[];
      fees: 'before_sale' | 'after_sale' | 'none';
    };
  })[];
};

export type CostRow = {
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  fulfillmentType: 'FBA/WFS' | 'FBM';
  sku: string;
  title: string;
  productCost: Money | null;
  shippingCost: Money | null;
  fulfillmentCost: Money | null;
  packagingCost: Money | null;
  miscCost: Money | null;
  totalCost: Money | null;
  stored: {
    product: Money | null;
    packaging: Money | null;
    misc: Money | null;
    shipping: Money | null;
    fulfillment: Money | null;
  };
  version: number;
  skuVersion: number | null;
  goodsReadOnly: string | null;
  fulfillmentReadOnly: string | null;
  isFulfillmentEstimated: boolean;
  gaps: string[];
  isDecided: boolean;
};

export type CostSince = Moment;

export type CostsPage = {
  rows: CostRow[];
  total: number;
  estimates: FeeEstimates;
};

export type CountRuleScope = {
  id: Id | null;
  rule: {
    marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
    fulfillmentType: 'FBA/WFS' | 'FBM' | 'All';
    segment?: SegmentInput;
    priority?: number | null;
    schedule?: ScheduleInput | null;
  };
};

export type Coverage = {
  total: number;
  repriceable: number;
  undecided: number;
  problems: ({
    problem: 
      | 'gone'
      | 'no_sku'
      | 'no_product_cost'
      | 'no_component'
      | 'bundle_in_bundle'
      | 'no_weight'
      | 'no_tier'
      | 'no_fulfillment_cost'
      | 'bundle_unconfirmed'
      | 'unreadable'
      | 'no_fee_schedule'
      | 'unreadable_rule'
      | 'unreadable_price'
      | 'unreadable_facts'
      | 'margin_impossible'
      | 'minimum_above_maximum'
      | 'floor_above_maximum'
      | 'minimum_above_ceiling'
      | 'range_not_legal'
      | 'bounds_conflict'
      | 'group_blocked'
      | 'group_conflict'
      | 'no_rule';
    count: number;
  })[];
};

export type CreateRule = {
  name: string;
  marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
  fulfillmentType: 'FBA/WFS' | 'FBM' | 'All';
  strategy: 'Match Competitor' | 'Beat Competitor' | 'Fixed Margin' | 'Dynamic Pricing';
  minimumMargin: string;
  marketplaceMargins?: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', string>>;
  competitorOffset?: SignedAmountInput | null;
  isActive?: boolean;
  requiresReview?: boolean;
  noCompetitor?: 'keep' | 'floor' | 'ceiling';
  belowFloor?: 'floor' | 'keep' | 'ceiling' | 'skip';
  otherChannels?: boolean;
  refuseCrossChannel?: boolean;
  filter?: {
    minRating?: string | null;
    minRatingCount?: number | null;
    maxHandlingDays?: number | null;
    ignoreSellers?: string[];
    fulfillmentType?: 'FBA/WFS' | 'FBM' | null;
  };
  lines?: string | null;
  targetMargin?: string | null;
  marketplaceTargets?: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', string>>;
  winShare?: string;
  onlySameShipping?: boolean;
  ignoreUnderFloor?: string | null;
  segment?: SegmentInput;
  priority?: number | null;
  schedule?: ScheduleInput | null;
  previewToken?: string;
};

export type CreatedSku = {
  id: Id;
  sku: string;
  name: string;
  productCost: Money | null;
  weightOz: number | null;
  lengthIn: number | null;
  widthIn: number | null;
  heightIn: number | null;
  isHazardous: boolean;
  packagingCost: Money;
  miscCost: Money;
  veeqoId: string | null;
  brand: string | null;
  supplier: string | null;
  tags: string[];
  createdAt: Moment;
  updatedAt: Moment;
  version: number;
  similar: string[];
};

export type CreatedTiers = {
  tiers: Tier[];
};

/** A calendar day of this century, such as "2026-11-21". */
export type Day = string;

export type DecideFees = {
    ids: Id[];
    decision: 'adopt' | 'keep';
  } | {
    pair: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      told: string;
      scheduled: string;
    };
    waiting?: number;
    decision: 'adopt' | 'keep';
  } | {
    pair: {
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      told: string;
      scheduled: string;
    };
    ownRates: number;
    decision: 'adopt' | 'keep';
  } | {
    reading: Id;
    listings: number;
    decision: 'adopt' | 'keep';
  };

export type DeleteListings = {
  selection: ListingSelection;
};

export type DeleteTiers = {
  ids: Id[];
};

export type DeletedTiers = {
  deleted: number;
};

export type DespiteReasons = string[];

export type DraftExplanation = {
  listing: {
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    outcome: 'change' | 'keep' | 'recommend' | 'blocked';
    oldPrice: Money;
    newPrice: Money | null;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
    line: number | null;
    sentence: string;
  };
  isPriced: boolean;
  otherRule: {
      id: Id;
      name: string;
    } | null;
  situation: 'winning' | 'losing' | 'alone' | 'not_read' | 'suppressed' | null;
  lines: ({
    line: number;
    text: string;
    status: 
      | 'decided'
      | 'not_read'
      | 'condition'
      | 'unknown'
      | 'resting'
      | 'too_low'
      | 'not_asked';
    condition: string | null;
    value: string | null;
    want: Money | null;
    least: Money | null;
    restsUntil: Moment | null;
  })[];
};

export type EditImpact = {
  listings: number;
  floors: {
    raised: number;
    lowered: number;
    gained: number;
    lost: number;
    largest: ({
      listingId: Id;
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      sku: string;
      from: Money | null;
      to: Money | null;
    })[];
  };
  fallingCount: number;
  falling: BelowMarginFloor[];
  sales: SalesImpact;
};

export type EditImpactRequest = {
  selection: ListingSelection;
  fields: {
    shippingCost?: AmountInput | null;
    shippingCharge?: AmountInput;
    fulfillmentCost?: AmountInput | null;
    feeCategory?: string | null;
    feeRate?: string | null;
    adShare?: string | null;
    returnShare?: string | null;
    ruleId?: Id | null;
    costSince?: CostSince;
  };
};

export type EditListing = {
  version: number;
  fields: ListingFields;
};

export type EditListingCosts = {
  version: number;
  skuVersion: number | null;
  product?: AmountInput | null;
  packaging?: AmountInput;
  misc?: AmountInput;
  shipping?: AmountInput | null;
  fulfillment?: AmountInput | null;
  costSince?: CostSince;
};

export type EditListings = {
  selection: ListingSelection;
  fields: ListingFields;
};

export type EditRule = {
  name: string;
  marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
  fulfillmentType: 'FBA/WFS' | 'FBM' | 'All';
  strategy: 'Match Competitor' | 'Beat Competitor' | 'Fixed Margin' | 'Dynamic Pricing';
  minimumMargin: string;
  marketplaceMargins?: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', string>>;
  competitorOffset?: SignedAmountInput | null;
  isActive?: boolean;
  requiresReview?: boolean;
  noCompetitor?: 'keep' | 'floor' | 'ceiling';
  belowFloor?: 'floor' | 'keep' | 'ceiling' | 'skip';
  otherChannels?: boolean;
  refuseCrossChannel?: boolean;
  filter?: {
    minRating?: string | null;
    minRatingCount?: number | null;
    maxHandlingDays?: number | null;
    ignoreSellers?: string[];
    fulfillmentType?: 'FBA/WFS' | 'FBM' | null;
  };
  lines?: string | null;
  targetMargin?: string | null;
  marketplaceTargets?: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', string>>;
  winShare?: string;
  onlySameShipping?: boolean;
  ignoreUnderFloor?: string | null;
  segment?: SegmentInput;
  priority?: number | null;
  schedule?: ScheduleInput | null;
  previewToken?: string;
  version: number;
};

export type EditSku = {
  name?: string;
  productCost?: AmountInput | null;
  weightOz?: WeightInput | null;
  lengthIn?: number | null;
  widthIn?: number | null;
  heightIn?: number | null;
  isHazardous?: boolean;
  packagingCost?: AmountInput;
  miscCost?: AmountInput;
  veeqoId?: string | null;
  brand?: Label;
  supplier?: Label;
  tags?: string[];
  version: number;
  costSince?: CostSince;
};

export type EditTier = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  fulfillmentType: 'FBA/WFS' | 'FBM';
  minWeightOz: WeightInput;
  maxWeightOz: WeightInput;
  cost: AmountInput;
  costSince?: CostSince;
};

export type EngineStatus = {
  isHalted: boolean;
  haltedBy: string | null;
  haltedAt: Moment | null;
  haltReason: string | null;
  inProgressCount: number;
  autoRepricing: boolean;
  notifications: boolean;
  checkIntervalMinutes: number;
  nextCheckAt: Moment | null;
  run: Run | null;
  pendingCount: number;
  usesTestAddresses: boolean;
  marketplaces: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    mode: 'live' | 'recommend_only';
    changedAt: Moment;
    changedBy: string | null;
    modeResetReason: 'connected' | 'account' | 'external_edits' | null;
    listingCount: number;
    priceChannel: 'file' | 'connected' | 'read_only' | 'paused';
    toUploadCount: number;
    recommendedCount: number;
  })[];
};

export type ErrorBody = {
  message: string;
  code: 
    | 'bad_request'
    | 'validation_failed'
    | 'not_signed_in'
    | 'invalid_credentials'
    | 'token_invalid'
    | 'token_expired'
    | 'two_factor_required'
    | 'not_allowed'
    | 'not_approved'
    | 'not_verified'
    | 'cross_site'
    | 'step_up_required'
    | 'scope_missing'
    | 'not_for_tokens'
    | 'two_factor_missing'
    | 'password_change_required'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'halted'
    | 'not_repriceable'
    | 'invalid_signature'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'wrong_host'
    | 'too_many_requests'
    | 'internal'
    | 'unavailable';
  requestId: string;
  fields?: Record<string, string>;
  reasons?: NotRepriceableReason[];
};

export type ExplainRule = {
  id: Id | null;
  rule: RuleFields;
  listingId: Id;
};

export type ExplainedOffer = {
  seller: string | null;
  channel: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  price: Money;
  shipping: Money;
  landed: Money;
  fulfillmentType: 'FBA/WFS' | 'FBM' | null;
  isFeatured: boolean;
  seenAt: Moment | null;
  status: string;
  statusText: string;
  want: Money | null;
};

export type FailedPrice = {
  price: Money;
  state: 'queued' | 'sent' | 'accepted' | 'unknown' | 'rejected' | 'expired';
  since: Moment;
  marketplaceMessage: string | null;
  pausedUntil: Moment | null;
  isRefused: boolean;
  id: Id;
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  productTitle: string;
  fromPrice: Money;
  actor: string | null;
};

export type FeeDrifts = {
  drifts: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    told: Percent;
    scheduled: Percent;
    listings: number;
    belowMarginFloor: number;
    waiting: number;
    ownRates: number;
    cost30Days: Money;
  })[];
  readings: ({
    id: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    since: Moment;
    listings: number;
    repriced: number;
    pairs: ({
      before: Percent;
      told: Percent;
      listings: number;
    })[];
    shown: ({
      before: Percent;
      told: Percent;
      listingId: Id;
      sku: string;
      title: string;
      currentPrice: Money;
    })[];
  })[];
};

export type FeeEstimates = {
  listings: number;
  areAccepted: boolean;
};

export type FeeFacts = {
  answers: ({
    id: Id;
    toldAt: Moment;
    source: 'estimate' | 'settled';
    fulfillmentType: 'FBA/WFS' | 'FBM';
    askedPrice: Money;
    askedShipping: Money;
    refusedBecause: 
        | 'currency'
        | 'negative'
        | 'unreadable'
        | 'other_question'
        | 'wrong_total'
        | 'above_revenue'
        | 'no_commission'
        | 'no_fulfillment'
        | 'out_of_range'
        | 'rejected' | null;
    isHeld: boolean;
    isInForce: boolean;
    isAssumed: boolean;
    fees: ({
      kind: 'commission' | 'closing' | 'fulfillment' | 'other';
      name: string | null;
      amount: Money;
      promotion: Money;
    })[];
  })[];
  category: {
    name: string | null;
    source: 'person' | 'told' | 'inferred' | 'mapped' | 'none';
    isAccepted: boolean;
    productType: string | null;
  };
};

export type FeeImpact = {
  affected: number;
  underMargin: number;
  blocked: number;
  recovered: number;
  worst: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    currentPrice: Money;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
    marginFloorAfter: Money | null;
  })[];
};

export type FeeImpactQuestion = {
  id: Id | null;
  schedule: FeeScheduleInput | null;
};

export type FeeScheduleInput = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  category: string | null;
  effectiveFrom: Moment | null;
  kind: 'whole' | 'marginal';
  edgeBase?: 'revenue' | 'with_tax';
  bands: ({
    upTo: PriceInput | null;
    percent: string;
    percentTaxed?: string;
    fixed: AmountInput;
    perUnit?: AmountInput;
    minimum: AmountInput;
  })[];
};

export type FeeScheduleView = {
  id: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  category: string | null;
  effectiveFrom: Moment | null;
  kind: 'whole' | 'marginal';
  edgeBase: 'revenue' | 'with_tax';
  bands: ({
    upTo: Money | null;
    percent: Percent;
    percentTaxed: Percent;
    fixed: Money;
    perUnit: Money;
    minimum: Money;
  })[];
  state: 'in_force' | 'coming' | 'past';
  listings: number;
  deletionBlocks: number | null;
  createdAt: Moment;
  createdBy: string | null;
  origin: 'shipped' | 'edited';
  publication: {
      title: string;
      date: Moment | null;
      confidence: 'high' | 'medium' | 'low';
      note: string | null;
    } | null;
};

export type FeeTermsInput = {
  plan: string | null;
  salesTax: string | null;
  adShare?: string | null;
  returnShare?: string | null;
};

export type FeeTermsView = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  plan: string | null;
  plans: string[];
  salesTax: Percent | null;
  countedSalesTax: Percent;
  salesTaxSource: 'entered' | 'learned' | 'assumed';
  adShare: Percent | null;
  returnShare: Percent | null;
  learned: {
      adShare: Percent | null;
      returnShare: Percent | null;
    } | null;
  learnedSalesTax: Percent | null;
  learnedFromOrders: number | null;
};

export type Fees = {
  schedules: FeeScheduleView[];
  uncovered: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    category: string | null;
    listings: number;
  })[];
  terms: FeeTermsView[];
  checked: {
      at: Moment;
      by: string | null;
    } | null;
};

export type FeesDecided = {
  listings: number;
};

export type Halt = {
  reason?: string;
};

export type HistoryEntry = {
  id: Id;
  listingId: Id;
  timestamp: Moment;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  productTitle: string;
  oldPrice: Money | null;
  newPrice: Money;
  reason: string;
  marginImpact: Margin | null;
  source: 'rule' | 'person' | 'apply' | 'undo' | 'repair' | 'import' | 'observed';
  actor: string | null;
  rule: {
      id: Id;
      name: string;
    } | null;
  runId: Id | null;
  competitorPrice: Money | null;
  marginFloor: Money | null;
  currentPrice: Money;
  isListingDeleted: boolean;
  sharesPriceWith: string[];
  isExplained: boolean;
};

export type HistoryPage = {
  rows: HistoryEntry[];
  total: number;
  isTotalExact: boolean;
  failed?: FailedPrice[];
  failedTotal?: number;
};

export type HoldListings = {
  selection: ListingSelection;
  hours: number | null;
  reason: string;
};

/** The ID of a row, as digits. */
export type Id = string;

export type Import = {
  id: Id;
  kind: 'skus' | 'listings' | 'bundles' | 'tiers' | 'rules' | 'offers' | 'fees';
  source: 'own' | 'amazon' | 'walmart' | 'shopify' | 'ebay' | 'etsy';
  fileName: string;
  size: number;
  state: 'uploaded' | 'checking' | 'checked' | 'importing' | 'done' | 'failed';
  createdBy: string;
  createdAt: Moment;
  header: string[];
  layout: {
    separator: string;
    encoding: 'utf-8' | 'windows-1252';
    titleLines: number;
    totalLines: number[];
    rows: number | null;
  };
  preview: (string[])[];
  columns: ({
    name: string;
    label: string;
    isRequired: boolean;
    hint: string;
  })[];
  mapping: Record<string, number | null>;
  ignoredColumns: string[];
  missingColumns: string[];
  guessed: string[];
  confidence: Record<string, 'likely' | 'possible'>;
  remembered: {
      by: string;
      at: Moment;
    } | null;
  questions: ('weightUnit' | 'decimalMark' | 'dayOrder' | 'timeZone' | 'percentForm')[];
  numbers: {
    comma: {
        line: number;
        text: string;
      } | null;
    point: {
        line: number;
        text: string;
      } | null;
    either: {
        line: number;
        text: string;
      } | null;
  };
  samples: Record<string, {
    filled: number;
    bare: {
        line: number;
        text: string;
      } | null;
    small: {
        line: number;
        text: string;
      } | null;
    days: string[];
  }>;
  defaults: Record<string, string>;
  readings: {
    weightUnit?: 'oz' | 'lb' | 'kg' | 'g';
    decimalMark?: 'point' | 'comma';
    dayOrder?: 'mdy' | 'dmy';
    timeZone?: Zone;
    percentForm?: 'percent' | 'share';
    known?: 'keep' | 'replace';
  };
  saysCosts: boolean;
  error: string | null;
  checkId: '0' | Id | null;
  counts: ImportCounts | null;
  problems: ProblemGroup[];
  notes: string[];
  effect: {
      listings: number;
      rules: ({
        name: string;
        listings: number;
      })[];
      fallingCount: number;
      falling: ({
        marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
        sku: string;
        title: string;
        currentPrice: Money;
        floorBefore: Money | null;
        floorAfter: Money;
        marginBefore: string | null;
        marginAfter: string | null;
      })[];
      unknownCount: number;
      jumpCount: number;
      jumps: ({
        sku: string;
        name: string;
        field: 'productCost' | 'weight';
        from: string;
        to: string;
      })[];
    } | null;
  rulesInUtc: number;
  sellers: SellerCandidate[];
  jobId: Id | null;
};

export type ImportCounts = {
  rows: number;
  create: number;
  update: number;
  unchanged: number;
  rejected: number;
};

export type ImportLine = {
  line: number;
  label: string;
  title: string | null;
  changes: ({
    field: string;
    from: string | null;
    to: string | null;
  })[];
};

export type ImportLines = {
  lines: ImportLine[];
  problems: ImportProblem[];
};

export type ImportProblem = {
  line: number;
  column: string | null;
  value: string | null;
  problem: string;
  fix: string;
};

export type Job = {
  id: Id;
  kind: 'import' | 'edit_listings' | 'apply' | 'export';
  title: string;
  state: 'queued' | 'running' | 'done' | 'partly_done' | 'failed' | 'cancelled';
  done: number;
  failed: number;
  total: number | null;
  summary: string | null;
  link: string | null;
  createdBy: string;
  createdAt: Moment;
  startedAt: Moment | null;
  endedAt: Moment | null;
};

export type JobRefusals = {
  rows: ({
    listingId: Id;
    sku: string;
    message: string;
  })[];
  total: number;
};

export type JobReport = {
  id: Id;
  kind: 'import' | 'edit_listings' | 'apply' | 'export';
  title: string;
  state: 'queued' | 'running' | 'done' | 'partly_done' | 'failed' | 'cancelled';
  done: number;
  failed: number;
  total: number | null;
  summary: string | null;
  link: string | null;
  createdBy: string;
  createdAt: Moment;
  startedAt: Moment | null;
  endedAt: Moment | null;
  runId: Id | null;
};

export type Jobs = Job[];

export type Label = string | null;

export type LabelCounts = {
  labels: ({
    label: string;
    count: number;
  })[];
  isCut: boolean;
  none: number;
};

export type LeaveEdit = {
  edit: Id;
};

export type LimitPlan = {
  token: string;
  listings: number;
  changes: number;
  unchanged: number;
  refused: ({
    why: 
      | 'no_cost'
      | 'no_value'
      | 'no_floor'
      | 'no_price'
      | 'min_above_max'
      | 'deleted';
    count: number;
    skus: string[];
  })[];
  effects: {
    minBelowFloor: number;
    maxBelowFloor: number;
    priceBelowMin: number;
    priceAboveMax: number;
  };
  rows: ({
    listingId: Id;
    sku: string;
    title: string;
    currentPrice: Money;
    floor: Money | null;
    minPrice: {
        from: Money | null;
        to: Money | null;
      } | null;
    maxPrice: {
        from: Money | null;
        to: Money | null;
      } | null;
  })[];
};

export type ListedRun = {
  id: Id;
  trigger: 'data_change' | 'full_check' | 'manual' | 'apply' | 'undo';
  state: 'queued' | 'running' | 'done' | 'stopped' | 'failed';
  startedBy: string | null;
  startedAt: Moment;
  endedAt: Moment | null;
  planned: number | null;
  evaluated: number;
  changed: number;
  kept: number;
  recommended: number;
  blocked: number;
  stopReason: string | null;
  undoesRunId: Id | null;
  up: number;
  down: number;
  equalSales: Money | null;
};

export type ListingAnalytics = {
    id: Id;
    listingId: Id;
    reviewCount: number;
    averageRating: string | null;
    salesRank: number | null;
    salesRankCategory: string | null;
    buyBoxPercentage: Percent | null;
    buyBoxWindow: {
        days: number;
        endsDaysAgo: number;
      } | null;
    lastUpdated: Moment;
    staleAt: Moment;
    days: ({
      day: string;
      checks: number;
      wins: number;
    })[];
  } | null;

export type ListingCompetition = {
  status: 'competitors' | 'alone' | 'not_read';
  readAt: Moment | null;
  text: string;
  unread: {
      at: Moment;
      reason: string;
    } | null;
  buyBox: {
      holder: 'ours' | 'marketplace' | 'seller' | 'unnamed';
      seller: string | null;
      price: Money;
      since: Moment | null;
      isAtLeast: boolean;
      seenAt: Moment;
      isOutdated: boolean;
      isSuppressed: boolean;
      before: {
          holder: 'ours' | 'marketplace' | 'seller' | 'unnamed';
          seller: string | null;
          seenAt: Moment;
        } | null;
    } | null;
  featuredPrice: {
      price: Money | null;
      status: string;
      readAt: Moment;
      text: string;
    } | null;
};

export type ListingCostImpactRequest = {
  product?: AmountInput | null;
  packaging?: AmountInput;
  misc?: AmountInput;
  shipping?: AmountInput | null;
  fulfillment?: AmountInput | null;
  costSince?: CostSince;
  feeRate?: string | null;
  feeCategory?: string | null;
};

export type ListingCosts = {
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  title: string;
  fulfillmentType: 'FBA/WFS' | 'FBM';
  currentPrice: Money;
  isBundle: boolean;
  version: number;
  skuVersion: number | null;
  parts: ({
    part: 'product' | 'shipping' | 'fulfillment' | 'packaging' | 'misc';
    amount: Money | null;
    source: 'sku' | 'bundle' | 'listing' | 'tier' | 'estimate' | 'table' | 'none';
    sourceText: string;
    readOnly: string | null;
  })[];
  totalCost: Money | null;
  missing: string[];
  gaps: string[];
  others: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
  })[];
};

export type ListingEdit = {
  edit: {
      id: Id;
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      foundAt: Moment;
      price: Money;
      priceBefore: Money;
      problem: 'loses_money' | 'below_floor' | 'above_ceiling';
      unrepairedBecause: 
          | 'policy'
          | 'repeated'
          | 'left'
          | 'doubtful'
          | 'not_automatic'
          | 'too_many' | null;
      repairPrice: Money;
      isInForce: boolean;
    } | null;
};

export type ListingFields = {
  autoRepricingEnabled?: boolean;
  minPrice?: PriceInput | null;
  maxPrice?: PriceInput | null;
  shippingCost?: AmountInput | null;
  shippingCharge?: AmountInput;
  fulfillmentCost?: AmountInput | null;
  feeCategory?: string | null;
  feeRate?: string | null;
  adShare?: string | null;
  returnShare?: string | null;
  mapPrice?: PriceInput | null;
  mapFrom?: Day | null;
  mapUntil?: Day | null;
  externalPrice?: PriceInput | null;
  brand?: Label;
  supplier?: Label;
  ruleId?: Id | null;
  costSince?: CostSince;
};

export type ListingFilter = {
  q?: string;
  marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  fulfillment?: 'FBA/WFS' | 'FBM';
  state?: 
    | 'repriceable'
    | 'blocked'
    | 'below_floor'
    | 'at_floor'
    | 'recommended'
    | 'held'
    | 'to_upload'
    | 'upload_late'
    | 'external_edit'
    | 'held_back'
    | 'price_war'
    | 'in_progress'
    | 'buy_box_lost'
    | 'fee_differs'
    | 'fee_unknown'
    | 'loses_money'
    | 'business_price_low'
    | 'business_price_hidden'
    | 'best_offer_low'
    | 'profit_unknown'
    | 'attention'
    | 'on'
    | 'off';
  problem?: 
    | 'gone'
    | 'no_sku'
    | 'no_product_cost'
    | 'no_component'
    | 'bundle_in_bundle'
    | 'no_weight'
    | 'no_tier'
    | 'no_fulfillment_cost'
    | 'bundle_unconfirmed'
    | 'unreadable'
    | 'no_fee_schedule'
    | 'unreadable_rule'
    | 'unreadable_price'
    | 'unreadable_facts'
    | 'margin_impossible'
    | 'minimum_above_maximum'
    | 'floor_above_maximum'
    | 'minimum_above_ceiling'
    | 'range_not_legal'
    | 'bounds_conflict'
    | 'group_blocked'
    | 'group_conflict'
    | 'no_rule';
  margin?: 'loss' | 'below_5' | 'below_10' | 'below_15' | 'from_15' | 'unknown';
  sold?: 'none' | 'some' | 'loss';
  rule?: Id;
  brand?: string;
  supplier?: string;
  tag?: string;
};

export type ListingMigrations = {
  total: number;
  items: ({
    itemId: string;
    title: string;
    skus: string[];
    problem: 'no_label' | null;
  })[];
  asked: ({
    itemId: string;
    state: 'waiting' | 'sent' | 'unknown' | 'migrated' | 'refused';
    message: string | null;
    askedBy: string;
    askedAt: Moment;
    endedAt: Moment | null;
  })[];
};

export type ListingRow = {
  id: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  marketplaceItemId: string | null;
  channel: 'inventory' | 'trading' | 'read_only' | null;
  sku: string;
  title: string;
  imageUrl: string | null;
  currentPrice: Money;
  amazonWalmartPrice: Money | null;
  thirdPartyFbaWfsPrice: Money | null;
  thirdPartyFbmPrice: Money | null;
  totalCost: Money | null;
  margin: Margin | null;
  fulfillmentType: 'FBA/WFS' | 'FBM';
  profit: Money | null;
  feeRate: Margin | null;
  feeTold: {
      at: Moment;
      price: Money;
    } | null;
  sold: {
    units: number;
    profit: Money | null;
    sales: number;
    known: number;
    told: number;
  };
  autoRepricingEnabled: boolean;
  minPrice: Money | null;
  maxPrice: Money | null;
  shippingCost: Money | null;
  shippingCharge: Money;
  fulfillmentCost: Money | null;
  feeCategory: string | null;
  ownFeeRate: Percent | null;
  adShare: Percent | null;
  returnShare: Percent | null;
  mapPrice: Money | null;
  mapFrom: Day | null;
  mapUntil: Day | null;
  externalPrice: Money | null;
  externalPriceAt: Moment | null;
  brand: string | null;
  supplier: string | null;
  ownBrand: string | null;
  ownSupplier: string | null;
  tags: string[];
  ownRuleId: Id | null;
  rule: {
      id: Id;
      name: string;
      strategy: 
        | 'Match Competitor'
        | 'Beat Competitor'
        | 'Fixed Margin'
        | 'Dynamic Pricing';
      hasLines: boolean;
      noCompetitor: 'keep' | 'floor' | 'ceiling';
    } | null;
  marginFloor: Money | null;
  competitorPrice: Money | null;
  recommendedPrice: Money | null;
  recommendedPriceReason: string | null;
  outcome: 'change' | 'keep' | 'recommend' | 'blocked' | null;
  reasonCode: string | null;
  gaps: string[];
  decidedAt: Moment | null;
  hold: {
      until: Moment | null;
      by: string;
      reason: string;
    } | null;
  awaitingUploadSince: Moment | null;
  priceInProgress: PriceInProgress | null;
  lastRepriced: Moment | null;
  sharesPriceWith: string[];
  version: number;
};

export type ListingSelection = {
    ids: Id[];
  } | {
    filter: ListingFilter;
    expected: number;
  };

export type ListingViewTotals = {
  totals: ({
    view: string;
    total: number;
    isTotalExact: boolean;
  })[];
};

export type ListingsPage = {
  rows: ListingRow[];
  total: number;
  isTotalExact: boolean;
  emptyColumns: ('amazonWalmart' | 'thirdPartyFbaWfs' | 'thirdPartyFbm' | 'totalCost')[];
};

export type MapColumns = {
  mapping: Record<string, number | null>;
  defaults: Record<string, string>;
  readings?: {
    weightUnit?: 'oz' | 'lb' | 'kg' | 'g';
    decimalMark?: 'point' | 'comma';
    dayOrder?: 'mdy' | 'dmy';
    timeZone?: Zone;
    percentForm?: 'percent' | 'share';
    known?: 'keep' | 'replace';
  };
};

/** A margin in percent of the revenue, with two decimals; a loss may be many times the price: "-7031.08". */
export type Margin = string;

export type MarginDistribution = {
  bands: ({
    band: 'loss' | 'below_5' | 'below_10' | 'below_15' | 'from_15' | 'unknown';
    count: number;
  })[];
  heldAtFloor: number;
  savedByFloor: Money;
};

export type MarkHazardous = {
  selection: SkuSelection;
  isHazardous: boolean;
};

export type MarketplaceStats = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  totalListings: number;
  activeListings: number;
  totalValue: string;
  avgPrice: string;
  fulfillmentBreakdown: Record<string, number>;
};

/** A timestamp, ISO 8601 in UTC. */
export type Moment = string;

/** Money: a decimal string with two decimals, such as "1234.50". */
export type Money = string;

export type MoneyEvents = {
  rows: ({
    id: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    externalId: string;
    kind: 
      | 'principal'
      | 'shipping'
      | 'discount'
      | 'funded'
      | 'commission'
      | 'closing'
      | 'per_order'
      | 'renewal'
      | 'payment'
      | 'fulfillment'
      | 'ad'
      | 'label'
      | 'refund_principal'
      | 'refund_shipping'
      | 'refund_commission'
      | 'refund_other'
      | 'refund_fee'
      | 'storage'
      | 'reimbursement'
      | 'tax'
      | 'transfer'
      | 'other';
    rawType: string;
    amount: Money;
    orderRef: string | null;
    sku: string | null;
    quantity: number | null;
    postedAt: Moment;
    releasedAt: Moment | null;
    settlementRef: string | null;
    matchedBy: 'line' | 'order_sku' | 'order' | 'sku' | 'marketplace';
    profitOf: 'sale' | 'day' | 'none';
    listingId: Id | null;
    restated: number;
  })[];
  total: number;
};

export type MoneyKinds = {
  rows: ({
    kind: 
      | 'principal'
      | 'shipping'
      | 'discount'
      | 'funded'
      | 'commission'
      | 'closing'
      | 'per_order'
      | 'renewal'
      | 'payment'
      | 'fulfillment'
      | 'ad'
      | 'label'
      | 'refund_principal'
      | 'refund_shipping'
      | 'refund_commission'
      | 'refund_other'
      | 'refund_fee'
      | 'storage'
      | 'reimbursement'
      | 'tax'
      | 'transfer'
      | 'other';
    events: number;
    amount: Money;
  })[];
};

export type NewSku = {
  sku: string;
  name: string;
  productCost: AmountInput;
  weightOz: WeightInput;
  lengthIn?: number | null;
  widthIn?: number | null;
  heightIn?: number | null;
  isHazardous?: boolean;
  packagingCost?: AmountInput;
  miscCost?: AmountInput;
  veeqoId?: string | null;
  brand?: Label;
  supplier?: Label;
  tags?: string[];
};

export type NewTier = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | 'all';
  fulfillmentType: 'FBA/WFS' | 'FBM';
  minWeightOz: WeightInput;
  maxWeightOz: WeightInput;
  cost: AmountInput;
  costSince?: CostSince;
};

export type NotRepriceableReason = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  reason: string;
  until: string | null;
  listings: number;
  skus: string[];
  isSent: boolean;
};

export type OfferAge = {
  hours: number;
  chosen: number | null;
  automatic: number;
};

export type OfferRefresh = {
  offerAge: OfferAge;
  readings: {
      listings: number;
      unread: number;
      fresh: number;
      interval: {
          minutes: number;
          basis: 'measured' | 'estimated';
        } | null;
      contested: number;
      contestedInterval: {
          minutes: number;
          basis: 'measured' | 'estimated';
        } | null;
      callsPerDay: number;
      usedPerDay: number;
      listingsPerCall: number;
      isDocumented: boolean;
      source: string;
    } | null;
};

export type OnMarketplace = {
    isForSale: boolean;
    quantity: number | null;
    seenAt: Moment;
    missingSince: Moment | null;
    checkedPrice: {
        price: Money;
        source: 'item' | 'list' | 'document' | 'event';
        since: Moment;
      } | null;
    bestOffer: {
        autoAcceptPrice: Money;
        lowestAllowedPrice: Money | null;
        isTooLow: boolean | null;
        raiseRefusal: string | null;
      } | null;
    businessPrices: {
        readAt: Moment;
        prices: ({
          from: number;
          price: Money;
          margin: Margin | null;
          isTooLow: boolean | null;
        })[];
        minimumMargin: Margin;
        lowestAllowedPrice: Money | null;
        isHidden: boolean;
        isFollowing: boolean;
        stopped: {
            sku: string;
            refused: string | null;
            until: Moment | null;
          } | null;
        skipped: number[];
      } | null;
  } | null;

export type OnRules = {
  ids: Id[];
};

export type OnSelection = {
  selection: ListingSelection;
};

export type OnSkus = {
  selection: SkuSelection;
};

export type OpenBooks = {
  sales: number;
  unknown: number;
  notTold: number;
  unmatched: number;
  unmatchedAmount: Money;
  isCalculating: boolean;
};

export type OwnSellers = {
  marketplaces: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    names: string[];
    listings: number;
    suggestions: ({
      name: string;
      listings: number;
    })[];
  })[];
};

/** A page of the list, from 1. */
export type PageParam = number;

export type PassedOverRows = {
  rows: ({
    kind: 
      | 'listings'
      | 'offers'
      | 'sales'
      | 'figures'
      | 'fees'
      | 'money'
      | 'featured_prices';
    what: string;
    why: 
      | 'no_sku'
      | 'no_label'
      | 'other_currency'
      | 'repeated'
      | 'not_ours_to_price'
      | 'auction'
      | 'unreadable'
      | 'price_not_in_cents'
      | 'no_price';
    member: string | null;
    value: string | null;
  })[];
};

/** A percentage: a decimal string with two decimals, such as "12.50". */
export type Percent = string;

export type PreviewLimits = {
  selection: ListingSelection;
  limits: {
    minPrice?: {
        to: PriceInput | null;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        percent: string;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        amount: SignedAmountInput;
      };
    maxPrice?: {
        to: PriceInput | null;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        percent: string;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        amount: SignedAmountInput;
      };
  };
};

export type PreviewRule = {
  id: Id | null;
  rule: RuleFields;
};

export type PriceChart = {
  from: Moment;
  to: Moment;
  shippingCharge: Money;
  own: ({
    at: Moment;
    price: Money;
    source: 
      | 'rule' | 'person' | 'apply' | 'undo' | 'repair' | 'import' | 'observed'
      | null;
    reason: string | null;
    by: string | null;
  })[];
  isCut: boolean;
  floor: ({
    at: Moment;
    price: Money | null;
  })[];
  readingHours: number;
  offers: ({
    at: Moment;
    lowest: Money | null;
    highest: Money | null;
    buyBox: Money | null;
    isBuyBoxOurs: boolean;
  })[];
};

export type PriceCheck = {
  margin: Margin | null;
  profit: Money | null;
  isAllowed: boolean;
  message: string | null;
  lowestAllowedPrice: Money | null;
  highestAllowedPrice: Money | null;
  notes: string[];
};

export type PriceDays = {
  days: ({
    day: string;
    raised: number;
    lowered: number;
  })[];
};

export type PriceExplanation = {
  listing: {
    id: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    fulfillmentType: 'FBA/WFS' | 'FBM';
    currentPrice: Money;
  };
  of: 'now' | 'recommendation' | 'history';
  at: Moment;
  outcome: 'change' | 'keep' | 'recommend' | 'blocked';
  price: Money | null;
  reasonCode: string;
  reviewReason: string | null;
  bindingLimit: string;
  bindingLimitText: string | null;
  sentence: string;
  fix: string | null;
  restEndsAt: Moment | null;
  actor: string | null;
  rule: {
      id: Id;
      name: string;
      strategy: string | null;
      minimumMargin: Percent | null;
      why: string;
    } | null;
  lines: {
      situation: 'winning' | 'losing' | 'alone' | 'not_read' | 'suppressed' | null;
      since: Moment | null;
      each: ({
        line: number;
        text: string;
        status: 
          | 'decided'
          | 'not_read'
          | 'condition'
          | 'unknown'
          | 'resting'
          | 'too_low'
          | 'not_asked';
        condition: string | null;
        value: string | null;
        want: Money | null;
        least: Money | null;
        restsUntil: Moment | null;
      })[];
    } | null;
  facts: {
    currentPrice: Money | null;
    anchorPrice: Money | null;
    minPrice: Money | null;
    maxPrice: Money | null;
    marketplaceLimits: {
        min: Money | null;
        max: Money | null;
        map: Money | null;
      } | null;
    greatestDiscount: Percent | null;
    shippingCharge: Money | null;
    priceDayAgo: Money | null;
    cost: ({
      part: 'product' | 'shipping' | 'fulfillment' | 'packaging' | 'misc';
      amount: Money | null;
    })[];
    totalCost: Money | null;
    weightOz: number | null;
    elsewhere: ({
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      price: Money;
      shippingCharge: Money;
    })[];
    gaps: string[];
  };
  fees: {
      version: string;
      text: string;
    } | null;
  allowed: {
      marginFloor: Money | null;
      priceCeiling: Money | null;
      ranges: ({
        from: Money;
        to: Money;
      })[];
    } | null;
  moveRange: {
      low: Money;
      high: Money;
    } | null;
  channelGap: string | null;
  competition: {
      status: 'competitors' | 'alone' | 'not_read';
      readAt: Moment | null;
      text: string;
    } | null;
  offers: ExplainedOffer[];
  steps: ({
    step: 'strategy_price' | 'target' | 'edge' | 'move_range' | 'wait' | 'result';
    from: Money;
    to: Money;
    because: string;
    text: string;
  })[];
  margin: {
    before: Margin | null;
    after: Margin | null;
  };
  profit: {
    before: Money | null;
    after: Money | null;
  };
};

export type PriceFileCleared = {
  cleared: number;
  waiting: number;
};

export type PriceFileUploaded = {
  upTo: Moment;
};

export type PriceInProgress = {
  price: Money;
  state: 'queued' | 'sent' | 'accepted' | 'unknown' | 'rejected' | 'expired';
  since: Moment;
  marketplaceMessage: string | null;
  pausedUntil: Moment | null;
  isRefused: boolean;
};

/** A price, more than zero: a decimal string such as "19.99". */
export type PriceInput = string;

export type ProblemGroup = {
  column: string | null;
  problem: string;
  fix: string;
  count: number;
  firstLines: number[];
  isSecondary: boolean;
};

export type Profit = {
  rows: ({
    key: string;
    listing: {
        marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
        sku: string;
        title: string;
        isDeleted: boolean;
      } | null;
    rule: {
        name: string;
        isDeleted: boolean;
      } | null;
    run: {
        trigger: 'data_change' | 'full_check' | 'manual' | 'apply' | 'undo';
        startedAt: Moment;
      } | null;
    units: number;
    revenue: Money;
    fees: Money | null;
    ads: Money | null;
    cost: Money | null;
    shipping: Money | null;
    refunds: Money | null;
    profit: Money | null;
    margin: Margin | null;
    sales: number;
    known: number;
    told: number;
  })[];
  total: number;
  sum: ProfitSums;
  unlisted: {
      fees: Money | null;
      ads: Money | null;
      refunds: Money | null;
      profit: Money;
    } | null;
};

export type ProfitSums = {
  units: number;
  revenue: Money;
  fees: Money | null;
  ads: Money | null;
  cost: Money | null;
  shipping: Money | null;
  refunds: Money | null;
  profit: Money | null;
  margin: Margin | null;
  sales: number;
  known: number;
  told: number;
};

export type RefusedMoneyPage = {
  rows: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    place: string;
    why: 
      | 'currency'
      | 'unreadable'
      | 'fraction'
      | 'out_of_range'
      | 'future'
      | 'no_id';
    firstSeenAt: Moment;
    lastSeenAt: Moment;
  })[];
  total: number;
};

export type RemovedBundle = {
  removed: number;
  unconfirmed: number;
};

export type RepairEdit = {
  edit: Id;
  price: PriceInput;
  whileHalted?: boolean | Moment;
  despiteReasons?: DespiteReasons;
};

export type RepricingDays = {
  days: ({
    day: Day;
    raised: number;
    lowered: number;
    checks: number;
    wins: number;
  })[];
};

export type RepricingLimits = {
  autoRepricing: boolean;
  checkIntervalMinutes: number;
  maxOfferAgeHours: number;
  maxStep: Percent;
  maxDailyChange: Percent;
  minStep: Money;
  cooldownMinutes: number;
  priceWarThreshold: number;
  priceWarPauseHours: number;
  holdHours: number;
  breakerDropShare: Percent;
  breakerDropDepth: Percent;
  breakerSameOutcomeShare: Percent;
  version: number;
};

export type RestockSale = {
  units: number;
};

export type RestockedSale = {
  id: Id;
  restocked: number;
};

export type RetryPrice = {
  price: PriceInput;
  whileHalted?: boolean | Moment;
  despiteReasons?: DespiteReasons;
};

export type RevertPrice = {
  from: PriceInput;
  whileHalted?: boolean | Moment;
  despiteReasons?: DespiteReasons;
};

export type Rule = {
  id: Id;
  name: string;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
  fulfillmentType: 'FBA/WFS' | 'FBM' | 'All';
  strategy: 'Match Competitor' | 'Beat Competitor' | 'Fixed Margin' | 'Dynamic Pricing';
  minimumMargin: Percent;
  marketplaceMargins: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', Percent>>;
  competitorOffset: Money | null;
  isActive: boolean;
  requiresReview: boolean;
  noCompetitor: 'keep' | 'floor' | 'ceiling';
  belowFloor: 'floor' | 'keep' | 'ceiling' | 'skip';
  otherChannels: boolean;
  refuseCrossChannel: boolean;
  filter: {
    minRating: Percent | null;
    minRatingCount: number | null;
    maxHandlingDays: number | null;
    ignoreSellers: string[];
    fulfillmentType: 'FBA/WFS' | 'FBM' | null;
  };
  lines: string | null;
  targetMargin: Percent | null;
  marketplaceTargets: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', Percent>>;
  winShare: Percent;
  onlySameShipping: boolean;
  ignoreUnderFloor: Percent | null;
  segment: RuleSegment;
  priority: number | null;
  schedule: RuleSchedule | null;
  version: number;
  createdAt: Moment;
  updatedAt: Moment;
};

export type RuleEarnings = {
  firstDay: Day | null;
  listings: number;
  compared: {
      days: number;
      since: {
        units: number;
        revenue: Money;
        fees: Money | null;
        ads: Money | null;
        cost: Money | null;
        shipping: Money | null;
        refunds: Money | null;
        profit: Money | null;
        margin: Margin | null;
        sales: number;
        known: number;
        told: number;
        from: Day;
        to: Day;
      };
      before: {
        units: number;
        revenue: Money;
        fees: Money | null;
        ads: Money | null;
        cost: Money | null;
        shipping: Money | null;
        refunds: Money | null;
        profit: Money | null;
        margin: Margin | null;
        sales: number;
        known: number;
        told: number;
        from: Day;
        to: Day;
      };
    } | null;
};

export type RuleFields = {
  name: string;
  marketplace?: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
  fulfillmentType: 'FBA/WFS' | 'FBM' | 'All';
  strategy: 'Match Competitor' | 'Beat Competitor' | 'Fixed Margin' | 'Dynamic Pricing';
  minimumMargin: string;
  marketplaceMargins?: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', string>>;
  competitorOffset?: SignedAmountInput | null;
  isActive?: boolean;
  requiresReview?: boolean;
  noCompetitor?: 'keep' | 'floor' | 'ceiling';
  belowFloor?: 'floor' | 'keep' | 'ceiling' | 'skip';
  otherChannels?: boolean;
  refuseCrossChannel?: boolean;
  filter?: {
    minRating?: string | null;
    minRatingCount?: number | null;
    maxHandlingDays?: number | null;
    ignoreSellers?: string[];
    fulfillmentType?: 'FBA/WFS' | 'FBM' | null;
  };
  lines?: string | null;
  targetMargin?: string | null;
  marketplaceTargets?: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', string>>;
  winShare?: string;
  onlySameShipping?: boolean;
  ignoreUnderFloor?: string | null;
  segment?: SegmentInput;
  priority?: number | null;
  schedule?: ScheduleInput | null;
};

export type RuleImpact = {
  listings: number;
  own: number;
  newRules: ({
    rule: {
        id: Id;
        name: string;
      } | null;
    listings: number;
  })[];
};

export type RuleList = {
  rules: ({
    id: Id;
    name: string;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
    fulfillmentType: 'FBA/WFS' | 'FBM' | 'All';
    strategy: 'Match Competitor' | 'Beat Competitor' | 'Fixed Margin' | 'Dynamic Pricing';
    minimumMargin: Percent;
    marketplaceMargins: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', Percent>>;
    competitorOffset: Money | null;
    isActive: boolean;
    requiresReview: boolean;
    noCompetitor: 'keep' | 'floor' | 'ceiling';
    belowFloor: 'floor' | 'keep' | 'ceiling' | 'skip';
    otherChannels: boolean;
    refuseCrossChannel: boolean;
    filter: {
      minRating: Percent | null;
      minRatingCount: number | null;
      maxHandlingDays: number | null;
      ignoreSellers: string[];
      fulfillmentType: 'FBA/WFS' | 'FBM' | null;
    };
    lines: string | null;
    targetMargin: Percent | null;
    marketplaceTargets: Partial<Record<'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify', Percent>>;
    winShare: Percent;
    onlySameShipping: boolean;
    ignoreUnderFloor: Percent | null;
    segment: RuleSegment;
    priority: number | null;
    schedule: RuleSchedule | null;
    version: number;
    createdAt: Moment;
    updatedAt: Moment;
    appliedTo: number;
    decidedBy: {
      lines: ({
        line: number;
        listings: number;
        held: number;
      })[];
      noLine: number;
      notRead: number;
      blocked: number;
      unknown: number;
    };
    atMarginFloor: number;
    knownFloors: number;
    changesInDay: number;
    sold?: SoldSoFar;
    ownListings: number;
  })[];
  timeZone: string | null;
};

export type RulePreview = {
  token: string;
  outcomes: string;
  listings: number;
  own: number;
  takenFrom: ({
    rule: {
        id: Id;
        name: string;
      } | null;
    listings: number;
  })[];
  givenUp: number;
  changes: number;
  raised: number;
  lowered: number;
  kept: number;
  recommended: number;
  blocked: number;
  atMarginFloor: number;
  notRead: number;
  noLine: number;
  bigRises: number;
  bigDrops: number;
  moveSizes: Record<
    | 'fall10'
    | 'fall5'
    | 'fall2'
    | 'fall'
    | 'stay'
    | 'rise'
    | 'rise2'
    | 'rise5'
    | 'rise10', number>;
  averages: {
      listings: number;
      oldPrice: Money;
      newPrice: Money;
      marginBefore: Margin;
      marginAfter: Margin;
    } | null;
  lines: ({
    line: number;
    listings: number;
    held: number;
  })[];
  known: {
    stock: number;
    supply: number;
    stockAge: number;
    sales: number;
  };
  moves: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    outcome: 'change' | 'keep' | 'recommend' | 'blocked';
    oldPrice: Money;
    newPrice: Money | null;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
    line: number | null;
    sentence: string;
  })[];
  samples: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    outcome: 'change' | 'keep' | 'recommend' | 'blocked';
    oldPrice: Money;
    newPrice: Money | null;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
    line: number | null;
    sentence: string;
  })[];
  floorListings: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    outcome: 'change' | 'keep' | 'recommend' | 'blocked';
    oldPrice: Money;
    newPrice: Money | null;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
    line: number | null;
    sentence: string;
  })[];
  blockedListings: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    outcome: 'change' | 'keep' | 'recommend' | 'blocked';
    oldPrice: Money;
    newPrice: Money | null;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
    line: number | null;
    sentence: string;
  })[];
};

export type RuleSchedule = {
  activeFrom: Day | null;
  activeUntil: Day | null;
  windows: string[];
};

export type RuleScopeCounts = {
  matching: number;
  deciding: number;
  own: number;
  others: ({
    rule: {
        id: Id;
        name: string;
      } | null;
    listings: number;
    because: 'assigned' | 'priority' | 'marketplace' | 'fulfillment' | 'segment' | 'age';
  })[];
  appliesNow: boolean;
};

export type RuleSegment = {
  marketplaces: ('walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify')[];
  brands: string[];
  categories: string[];
  tags: string[];
  suppliers: string[];
  ownPrice: {
      from: Money | null;
      to: Money | null;
    } | null;
  cost: {
      from: Money | null;
      to: Money | null;
    } | null;
  listedDays: {
      from: number | null;
      to: number | null;
    } | null;
  stockAgeDays: {
      from: number | null;
      to: number | null;
    } | null;
  stock: {
      from: number | null;
      to: number | null;
    } | null;
};

export type RulesChanged = {
  ids: Id[];
};

export type RulesDeleted = {
  ids: Id[];
  impact: RuleImpact;
};

export type RulesOfListings = {
  rules: ({
    rule: {
        id: Id;
        name: string;
      } | null;
    listings: number;
  })[];
};

export type Run = {
  id: Id;
  trigger: 'data_change' | 'full_check' | 'manual' | 'apply' | 'undo';
  state: 'queued' | 'running' | 'done' | 'stopped' | 'failed';
  startedBy: string | null;
  startedAt: Moment;
  endedAt: Moment | null;
  planned: number | null;
  evaluated: number;
  changed: number;
  kept: number;
  recommended: number;
  blocked: number;
  stopReason: string | null;
  undoesRunId: Id | null;
};

export type RunDetail = {
  id: Id;
  trigger: 'data_change' | 'full_check' | 'manual' | 'apply' | 'undo';
  state: 'queued' | 'running' | 'done' | 'stopped' | 'failed';
  startedBy: string | null;
  startedAt: Moment;
  endedAt: Moment | null;
  planned: number | null;
  evaluated: number;
  changed: number;
  kept: number;
  recommended: number;
  blocked: number;
  stopReason: string | null;
  undoesRunId: Id | null;
  sent?: {
    confirmed: number;
    inProgress: number;
    notApplied: number;
  };
  sold?: SoldSoFar;
  money: {
    up: number;
    down: number;
    equalSales: Money | null;
    marginBefore: Margin | null;
    marginAfter: Margin | null;
  };
};

export type RunGroup = {
  since: Moment | null;
  until: Moment | null;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | null;
  rule: {
      id: Id;
      name: string;
    } | null;
  runs: number;
  changes: number;
  listings: number;
  up: number;
  down: number;
  equalSales: Money | null;
  soldUnits: number;
  soldProfit: Money | null;
};

export type RunGroups = {
  since: Moment;
  until: Moment | null;
  groups: RunGroup[];
  isCut: boolean;
};

export type RunImport = {
  checkId: '0' | Id;
  allOrNothing: boolean;
  jumps?: number;
  ownSellers?: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    name: string;
  })[];
};

export type RunItem = {
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  title: string;
  outcome: 'change' | 'recommend' | 'blocked';
  reasonCode: string;
  reason: string;
  oldPrice: Money | null;
  newPrice: Money | null;
  marginFloor: Money | null;
  marginBefore: Margin | null;
  marginAfter: Margin | null;
  equalSales: Money | null;
};

export type RunItemsPage = {
  rows: RunItem[];
  total: number;
};

export type RunsPage = {
  rows: ListedRun[];
  total: number;
};

export type Sale = {
  id: Id;
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  productTitle: string;
  isListingDeleted: boolean;
  orderRef: string | null;
  lineNumber: number | null;
  saleDate: Moment;
  quantitySold: number;
  unitPrice: Money;
  totalRevenue: Money;
  shippingRevenue: Money | null;
  marketplaceFees: Money | null;
  feesEstimated: Money | null;
  feesTold: Money | null;
  unitCost: Money | null;
  shippingCost: Money | null;
  totalCost: Money | null;
  marginPerUnit: Money | null;
  totalMargin: Money | null;
  adjustment: Money | null;
  ads: Money | null;
  refunds: Money | null;
  restocked: number;
  parts: ({
    kind: 
      | 'principal'
      | 'shipping'
      | 'discount'
      | 'funded'
      | 'commission'
      | 'closing'
      | 'per_order'
      | 'renewal'
      | 'payment'
      | 'fulfillment'
      | 'ad'
      | 'label'
      | 'refund_principal'
      | 'refund_shipping'
      | 'refund_commission'
      | 'refund_other'
      | 'refund_fee'
      | 'storage'
      | 'reimbursement'
      | 'tax'
      | 'transfer'
      | 'other';
    estimated: Money | null;
    told: Money | null;
  })[];
  priceSource: string | null;
  ruleId: Id | null;
  runId: Id | null;
  state: 'estimated' | 'partly_told' | 'told';
  isPending: boolean;
  isAbout: boolean;
  computedAt: Moment | null;
  createdAt: Moment;
};

export type SaleDetail = {
  id: Id;
  listingId: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  sku: string;
  productTitle: string;
  isListingDeleted: boolean;
  orderRef: string | null;
  lineNumber: number | null;
  saleDate: Moment;
  quantitySold: number;
  unitPrice: Money;
  totalRevenue: Money;
  shippingRevenue: Money | null;
  marketplaceFees: Money | null;
  feesEstimated: Money | null;
  feesTold: Money | null;
  unitCost: Money | null;
  shippingCost: Money | null;
  totalCost: Money | null;
  marginPerUnit: Money | null;
  totalMargin: Money | null;
  adjustment: Money | null;
  ads: Money | null;
  refunds: Money | null;
  restocked: number;
  parts: ({
    kind: 
      | 'principal'
      | 'shipping'
      | 'discount'
      | 'funded'
      | 'commission'
      | 'closing'
      | 'per_order'
      | 'renewal'
      | 'payment'
      | 'fulfillment'
      | 'ad'
      | 'label'
      | 'refund_principal'
      | 'refund_shipping'
      | 'refund_commission'
      | 'refund_other'
      | 'refund_fee'
      | 'storage'
      | 'reimbursement'
      | 'tax'
      | 'transfer'
      | 'other';
    estimated: Money | null;
    told: Money | null;
    reconciliation: 'matching' | 'differs' | 'waiting' | null;
  })[];
  priceSource: string | null;
  ruleId: Id | null;
  runId: Id | null;
  state: 'estimated' | 'partly_told' | 'told';
  isPending: boolean;
  isAbout: boolean;
  computedAt: Moment | null;
  createdAt: Moment;
  productCost: Money | null;
  reconciliation: 'matching' | 'differs' | 'waiting' | null;
};

export type SalesImpact = {
  changed: number;
  profitChange: Money;
  isMore: boolean;
};

export type SalesMetrics = {
  salesCount: number;
  totalQuantity: number;
  totalRevenue: Money;
  avgUnitPrice: Money | null;
  totalMargin: Money | null;
  avgMarginPerUnit: Money | null;
  margin: Margin | null;
  quantityWithMargin: number;
  salesWithMargin: number;
  salesAbout: number;
  from: Moment;
  to: Moment;
  lastUpdated: Moment | null;
  staleAt: Moment | null;
};

export type SalesPage = {
  rows: Sale[];
  total: number;
  lost: Money | null;
  isLostAbout: boolean;
};

export type SaveBundles = ({
  componentSkuId: Id;
  quantity?: number;
  listingSku: string;
})[];

export type SavedCosts = {
  costs: ListingCosts;
  belowMarginFloorCount: number;
  belowMarginFloor: BelowMarginFloor[];
};

export type SavedSku = {
  sku: Sku;
  belowMarginFloorCount: number;
  belowMarginFloor: BelowMarginFloor[];
};

export type ScheduleInput = {
  activeFrom?: Day | null;
  activeUntil?: Day | null;
  windows?: string[];
};

export type SearchAnswer = {
  listings: {
    rows: ({
      id: Id;
      marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
      sku: string;
      title: string;
      currentPrice: Money;
    })[];
    total: number;
    isTotalExact: boolean;
  };
  skus: {
    rows: ({
      id: Id;
      sku: string;
      name: string;
    })[];
    total: number;
    isTotalExact: boolean;
  };
};

export type SegmentInput = {
  marketplaces?: ('walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify')[];
  brands?: string[];
  categories?: string[];
  tags?: string[];
  suppliers?: string[];
  ownPrice?: {
      from?: AmountInput | null;
      to?: AmountInput | null;
    } | null;
  cost?: {
      from?: AmountInput | null;
      to?: AmountInput | null;
    } | null;
  listedDays?: {
      from?: number | null;
      to?: number | null;
    } | null;
  stockAgeDays?: {
      from?: number | null;
      to?: number | null;
    } | null;
  stock?: {
      from?: number | null;
      to?: number | null;
    } | null;
};

export type SellerCandidate = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  name: string;
  offers: number;
  isOwn: boolean;
};

export type SetLimits = {
  selection: ListingSelection;
  limits: {
    minPrice?: {
        to: PriceInput | null;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        percent: string;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        amount: SignedAmountInput;
      };
    maxPrice?: {
        to: PriceInput | null;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        percent: string;
      } | {
        from: 'cost' | 'own' | 'price' | 'floor';
        amount: SignedAmountInput;
      };
  };
  token: string;
};

export type SetPrice = {
  price: PriceInput;
  from: PriceInput;
  whileHalted?: boolean | Moment;
  despiteReasons?: DespiteReasons;
};

export type SetRecommendOnly = {
  marketplaces: ('walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify')[];
};

export type SetRuleActive = {
  isActive: boolean;
};

export type SetRulesActive = {
  ids: Id[];
  isActive: boolean;
};

export type Settlements = {
  rows: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    ref: string;
    from: Moment | null;
    to: Moment | null;
    paidAt: Moment | null;
    toldTotal: Money | null;
    eventsTotal: Money;
    events: number;
    unmatched: number;
    other: number;
    state: 'open' | 'incomplete' | 'balanced' | 'off';
    difference: Money | null;
  })[];
  total: number;
};

export type Setup = {
  steps: ({
    step: 
      | 'import'
      | 'own_sellers'
      | 'shipping'
      | 'fees'
      | 'rule'
      | 'review'
      | 'go_live';
    isDone: boolean;
  })[];
  isDismissed: boolean;
  isDemo: boolean;
};

/** An amount of either sign: a decimal string such as "-0.05". */
export type SignedAmountInput = string;

export type SimilarSkus = {
  similar: string[];
};

export type Sku = {
  id: Id;
  sku: string;
  name: string;
  productCost: Money | null;
  weightOz: number | null;
  lengthIn: number | null;
  widthIn: number | null;
  heightIn: number | null;
  isHazardous: boolean;
  packagingCost: Money;
  miscCost: Money;
  veeqoId: string | null;
  brand: string | null;
  supplier: string | null;
  tags: string[];
  createdAt: Moment;
  updatedAt: Moment;
  version: number;
};

export type SkuImpact = {
  listings: number;
  bundles: number;
  fallingCount: number;
  falling: BelowMarginFloor[];
  unknownCount: number;
  sales: SalesImpact;
};

export type SkuImpactRequest = {
  name?: string;
  productCost?: AmountInput | null;
  weightOz?: WeightInput | null;
  lengthIn?: number | null;
  widthIn?: number | null;
  heightIn?: number | null;
  isHazardous?: boolean;
  packagingCost?: AmountInput;
  miscCost?: AmountInput;
  veeqoId?: string | null;
  brand?: Label;
  supplier?: Label;
  tags?: string[];
  costSince?: CostSince;
};

export type SkuSelection = {
    ids: Id[];
  } | {
    filter: {
      q?: string;
      brand?: string;
      supplier?: string;
      tag?: string;
    };
    expected: number;
  };

export type SkuUses = {
  listings: number;
  bundles: number;
  skus: number;
  named: string[];
};

export type SkusDone = {
  ids: Id[];
};

export type SkusPage = {
  skus: Sku[];
  total: number;
};

export type SoldSoFar = {
  units: number;
  revenue: Money;
  fees: Money | null;
  ads: Money | null;
  cost: Money | null;
  shipping: Money | null;
  refunds: Money | null;
  profit: Money | null;
  margin: Margin | null;
  sales: number;
  known: number;
  told: number;
  from: Day;
  to: Day;
};

export type Stats = {
  overall: {
    totalListings: number;
    totalSkus: number;
    totalValue: string;
    activeRules: number;
    recentPriceChanges: number;
  };
  trends: {
    totalListings: string | null;
    totalSkus: string | null;
    totalValue: string | null;
    recentPriceChanges: string | null;
  };
  byMarketplace: MarketplaceStats[];
};

export type SyncRequested = {
  requestedAt: Moment;
};

export type Tier = {
  id: Id;
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
  fulfillmentType: 'FBA/WFS' | 'FBM';
  minWeightOz: number;
  maxWeightOz: number;
  cost: Money;
};

export type TierImpactRequest = {
  marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify' | 'all';
  fulfillmentType: 'FBA/WFS' | 'FBM';
  minWeightOz: WeightInput;
  maxWeightOz: WeightInput;
  cost: AmountInput;
  costSince?: CostSince;
  id: Id | null;
};

export type Tiers = {
  tiers: Tier[];
  gaps: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    fulfillmentType: 'FBA/WFS' | 'FBM';
    minWeightOz: number;
    maxWeightOz: number;
  })[];
  untiered: ({
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    fulfillmentType: 'FBA/WFS' | 'FBM';
    listings: number;
    lightestOz: number;
    heaviestOz: number;
  })[];
};

export type Today = {
  day: string;
  changes: number;
  raised: number;
  lowered: number;
  listings: number;
  known: number;
  weeklyEffect: Money | null;
  heldAtFloor: number;
};

export type UndeleteListings = {
  ids: Id[];
};

export type UndeleteSkus = {
  ids: Id[];
};

export type UndoAction = {
  undoId: string;
  jobId: Id | null;
  whileHalted?: boolean | Moment;
  despiteReasons?: DespiteReasons;
};

export type UndoChanges = {
  filter: ChangeFilter;
  through: Id | null;
  changes: number;
  openThrough: Id | null;
  whileHalted?: boolean | Moment;
  despiteReasons?: DespiteReasons;
};

export type UndoPreview = {
  changes: number;
  listings: number;
  through: Id | null;
  goBack: number;
  up: number;
  down: number;
  effect: Money;
  notSent: number;
  inProgress: number;
  openThrough: Id | null;
  alsoChanges: string[];
  kept: ({
    why: 
      | 'changed_since'
      | 'not_allowed'
      | 'on_its_way'
      | 'already_there'
      | 'first_price'
      | 'deleted';
    listings: number;
  })[];
  rows: ({
    listingId: Id;
    marketplace: 'walmart' | 'amazon' | 'michaels' | 'ebay' | 'etsy' | 'shopify';
    sku: string;
    title: string;
    now: Money;
    before: Money | null;
    marginBefore: Margin | null;
    why: 
        | 'changed_since'
        | 'not_allowed'
        | 'on_its_way'
        | 'already_there'
        | 'first_price'
        | 'deleted' | null;
    message: string | null;
  })[];
};

export type UndoRun = {
    whileHalted?: boolean | Moment;
    despiteReasons?: DespiteReasons;
  } | null;

export type VeeqoSync = {
  success: boolean;
  error: string | null;
  imported: number;
  skipped: number;
  lastSync: Moment | null;
  skippedSkus: string[];
  leftDeleted: number;
  leftDeletedSkus: string[];
  incomplete: number;
  incompleteSkus: string[];
  passedOver: number;
  passedOverItems: ({
    what: string;
    why: 'no_code' | 'kit' | 'repeated' | 'unreadable';
    member: string | null;
    value: string | null;
  })[];
};

export type View = {
  id: Id;
  list: 'listings' | 'history' | 'skus';
  name: string;
  query: Record<string, string>;
  layout: {
    order: string[];
    hidden: string[];
    shown?: string[];
    widths: Record<string, number>;
    density: 'comfortable' | 'default' | 'compact' | null;
  };
  isShared: boolean;
  isMine: boolean;
  owner: string;
  version: number;
};

export type Views = {
  views: View[];
};

export type WeightInput = number;

export type Zone = string;
