-- The listings, the runs over them, and what the engine knows about each.

-- Numbers the rows of the price ledger; a new listing takes the number of its first row from here.
CREATE SEQUENCE price_history_id_seq;

CREATE TABLE listings (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text DEFAULT 'walmart' NOT NULL,
  marketplace_item_id text,
  sku text NOT NULL,
  title text NOT NULL,
  image_url text,
  current_price numeric(10, 2) NOT NULL,
  current_price_id bigint DEFAULT nextval('price_history_id_seq') NOT NULL,
  competitor_price numeric(10, 2),
  fulfillment_type text NOT NULL,
  auto_repricing_enabled boolean DEFAULT true NOT NULL,
  rule_id bigint,
  last_repriced timestamptz(3),
  fba_small_and_light_eligible boolean DEFAULT false NOT NULL,
  fba_small_and_light_enrolled boolean DEFAULT false NOT NULL,
  shipping_cost numeric(10, 2),
  last_shipping_cost_update timestamptz(3),
  recommended_price numeric(10, 2),
  recommended_price_reason text,
  anchor_price numeric(10, 2) NOT NULL,
  min_price numeric(10, 2),
  max_price numeric(10, 2),
  shipping_charge numeric(10, 2) DEFAULT 0 NOT NULL,
  fulfillment_cost numeric(10, 2),
  fulfillment_cost_is_estimate boolean DEFAULT false NOT NULL,
  fee_category text,
  held_until timestamptz(3),
  held_by text,
  hold_reason text,
  awaiting_upload_since timestamptz(3),
  bundle_unconfirmed boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT sku_filled CHECK (char_length(btrim(sku)) between 1 and 200),
  CONSTRAINT title_filled CHECK (char_length(btrim(title)) between 1 and 1000),
  CONSTRAINT current_price_range CHECK (current_price between 0.01 and 99999999.99),
  CONSTRAINT competitor_price_range CHECK (competitor_price between 0.01 and 99999999.99),
  CONSTRAINT shipping_cost_range CHECK (shipping_cost between 0 and 99999999.99),
  CONSTRAINT recommended_price_range CHECK (recommended_price between 0.01 and 99999999.99),
  CONSTRAINT anchor_price_range CHECK (anchor_price between 0.01 and 99999999.99),
  CONSTRAINT min_price_range CHECK (min_price between 0.01 and 99999999.99),
  CONSTRAINT max_price_range CHECK (max_price between 0.01 and 99999999.99),
  CONSTRAINT min_at_most_max CHECK (min_price <= max_price),
  CONSTRAINT shipping_charge_range CHECK (shipping_charge between 0 and 99999999.99),
  CONSTRAINT fulfillment_cost_range CHECK (fulfillment_cost between 0 and 99999999.99),
  CONSTRAINT recommendation_says_why CHECK (recommended_price is null or recommended_price_reason is not null),
  CONSTRAINT hold_is_whole CHECK ((held_by is null) = (hold_reason is null) and (held_until is null or held_by is not null)),
  CONSTRAINT listings_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX listings_key ON listings (marketplace, sku) WHERE deleted_at is null;
CREATE INDEX listings_sku_idx ON listings (sku);
CREATE INDEX listings_rule_id_idx ON listings (rule_id) WHERE rule_id is not null;

-- Room on each page, so that a new price rewrites no index.
ALTER TABLE listings SET (fillfactor = 80);

CREATE TABLE repricing_runs (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  trigger text NOT NULL,
  state text DEFAULT 'running' NOT NULL,
  started_by text,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  evaluated integer DEFAULT 0 NOT NULL,
  changed integer DEFAULT 0 NOT NULL,
  kept integer DEFAULT 0 NOT NULL,
  recommended integer DEFAULT 0 NOT NULL,
  blocked integer DEFAULT 0 NOT NULL,
  dropped integer DEFAULT 0 NOT NULL,
  on_floor integer DEFAULT 0 NOT NULL,
  same_price integer DEFAULT 0 NOT NULL,
  stop_reason text,
  undoes_run_id bigint,
  CONSTRAINT trigger_known CHECK (trigger in ('due', 'sweep', 'person', 'apply', 'undo')),
  CONSTRAINT state_known CHECK (state in ('running', 'done', 'stopped', 'failed')),
  CONSTRAINT evaluated_range CHECK (evaluated between 0 and 2147483647),
  CONSTRAINT changed_range CHECK (changed between 0 and 2147483647),
  CONSTRAINT kept_range CHECK (kept between 0 and 2147483647),
  CONSTRAINT recommended_range CHECK (recommended between 0 and 2147483647),
  CONSTRAINT blocked_range CHECK (blocked between 0 and 2147483647),
  CONSTRAINT dropped_range CHECK (dropped between 0 and 2147483647),
  CONSTRAINT on_floor_range CHECK (on_floor between 0 and 2147483647),
  CONSTRAINT same_price_range CHECK (same_price between 0 and 2147483647),
  CONSTRAINT ends_after_start CHECK (ended_at >= started_at),
  CONSTRAINT stop_says_why CHECK (state not in ('stopped', 'failed') or stop_reason is not null),
  CONSTRAINT repricing_runs_undoes_run_id_repricing_runs_id_fk FOREIGN KEY (undoes_run_id) REFERENCES repricing_runs(id) ON DELETE RESTRICT
);
CREATE INDEX repricing_runs_started_at_idx ON repricing_runs (started_at);

CREATE TABLE run_items (
  run_id bigint NOT NULL,
  listing_id bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  outcome text NOT NULL,
  reason_code text NOT NULL,
  gate text,
  bound text,
  old_price numeric(10, 2),
  price numeric(10, 2),
  lowest_legal_price numeric(10, 2),
  reference numeric(10, 2),
  margin_before numeric(5, 2),
  margin_after numeric(5, 2),
  rule_id bigint,
  fee_version text,
  facts jsonb,
  CONSTRAINT run_items_run_id_listing_id_pk PRIMARY KEY (run_id, listing_id),
  CONSTRAINT outcome_known CHECK (outcome in ('change', 'keep', 'recommend', 'blocked')),
  CONSTRAINT reason_code_filled CHECK (char_length(btrim(reason_code)) between 1 and 100),
  CONSTRAINT old_price_range CHECK (old_price between 0.01 and 99999999.99),
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT lowest_legal_price_range CHECK (lowest_legal_price between 0.01 and 99999999.99),
  CONSTRAINT reference_range CHECK (reference between -99999999.99 and 99999999.99),
  CONSTRAINT margin_before_range CHECK (margin_before between -999.99 and 999.99),
  CONSTRAINT margin_after_range CHECK (margin_after between -999.99 and 999.99),
  CONSTRAINT blocked_has_no_price CHECK ((outcome = 'blocked') = (price is null)),
  CONSTRAINT run_items_run_id_repricing_runs_id_fk FOREIGN KEY (run_id) REFERENCES repricing_runs(id) ON DELETE CASCADE,
  CONSTRAINT run_items_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE RESTRICT,
  CONSTRAINT run_items_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE RESTRICT
);
CREATE INDEX run_items_listing_id_idx ON run_items (listing_id, at);
CREATE INDEX run_items_at_idx ON run_items (at);

CREATE TABLE listing_metrics (
  listing_id bigint PRIMARY KEY NOT NULL,
  product_cost numeric(10, 2),
  shipping_cost numeric(10, 2),
  fulfillment_cost numeric(10, 2),
  packaging_cost numeric(10, 2),
  misc_cost numeric(10, 2),
  total_cost numeric(10, 2),
  margin numeric(5, 2),
  lowest_legal_price numeric(10, 2),
  amazon_walmart_price numeric(10, 2),
  third_party_fba_wfs_price numeric(10, 2),
  third_party_fbm_price numeric(10, 2),
  outcome text,
  reason_code text,
  rule_id bigint,
  decided_at timestamptz(3) NOT NULL,
  CONSTRAINT product_cost_range CHECK (product_cost between 0 and 99999999.99),
  CONSTRAINT shipping_cost_range CHECK (shipping_cost between 0 and 99999999.99),
  CONSTRAINT fulfillment_cost_range CHECK (fulfillment_cost between 0 and 99999999.99),
  CONSTRAINT packaging_cost_range CHECK (packaging_cost between 0 and 99999999.99),
  CONSTRAINT misc_cost_range CHECK (misc_cost between 0 and 99999999.99),
  CONSTRAINT total_cost_range CHECK (total_cost between 0 and 99999999.99),
  CONSTRAINT margin_range CHECK (margin between -999.99 and 999.99),
  CONSTRAINT lowest_legal_price_range CHECK (lowest_legal_price between 0.01 and 99999999.99),
  CONSTRAINT amazon_walmart_price_range CHECK (amazon_walmart_price between 0 and 99999999.99),
  CONSTRAINT third_party_fba_wfs_price_range CHECK (third_party_fba_wfs_price between 0 and 99999999.99),
  CONSTRAINT third_party_fbm_price_range CHECK (third_party_fbm_price between 0 and 99999999.99),
  CONSTRAINT outcome_known CHECK (outcome in ('change', 'keep', 'recommend', 'blocked')),
  CONSTRAINT listing_metrics_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT listing_metrics_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE RESTRICT
);
CREATE INDEX listing_metrics_rule_id_idx ON listing_metrics (rule_id);

CREATE TABLE due_listings (
  listing_id bigint PRIMARY KEY NOT NULL,
  due_since timestamptz(3) DEFAULT now() NOT NULL,
  cause text NOT NULL,
  CONSTRAINT cause_filled CHECK (char_length(btrim(cause)) between 1 and 50),
  CONSTRAINT due_listings_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
