-- How prices are made, and what the marketplaces take.

CREATE TABLE repricing_rules (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  marketplace text,
  fulfillment_type text NOT NULL,
  strategy text NOT NULL,
  minimum_margin numeric(5, 2) NOT NULL,
  competitor_offset numeric(10, 2),
  is_active boolean DEFAULT true NOT NULL,
  ask_first boolean DEFAULT false NOT NULL,
  no_competitor text DEFAULT 'keep' NOT NULL,
  below_floor text DEFAULT 'floor' NOT NULL,
  other_channels boolean DEFAULT false NOT NULL,
  refuse_cross_channel boolean DEFAULT false NOT NULL,
  filter_min_rating numeric(5, 2),
  filter_min_rating_count integer,
  filter_max_handling_days integer,
  filter_ignore_sellers text[] DEFAULT '{}' NOT NULL,
  filter_fulfillment_type text,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 200),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM', 'All')),
  CONSTRAINT strategy_known CHECK (strategy in ('Match Competitor', 'Beat Competitor', 'Fixed Margin', 'Dynamic Pricing')),
  CONSTRAINT minimum_margin_range CHECK (minimum_margin between 0 and 99.99),
  CONSTRAINT competitor_offset_range CHECK (competitor_offset between -99999999.99 and 99999999.99),
  CONSTRAINT no_competitor_known CHECK (no_competitor in ('keep', 'floor', 'ceiling')),
  CONSTRAINT below_floor_known CHECK (below_floor in ('floor', 'keep', 'ceiling', 'skip')),
  CONSTRAINT filter_min_rating_range CHECK (filter_min_rating between 0 and 100),
  CONSTRAINT filter_min_rating_count_range CHECK (filter_min_rating_count between 0 and 2147483647),
  CONSTRAINT filter_max_handling_days_range CHECK (filter_max_handling_days between 0 and 2147483647),
  CONSTRAINT filter_fulfillment_type_known CHECK (filter_fulfillment_type in ('FBA/WFS', 'FBM'))
);

CREATE TABLE repricing_rule_margins (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  rule_id bigint NOT NULL,
  marketplace text NOT NULL,
  minimum_margin numeric(5, 2) NOT NULL,
  CONSTRAINT repricing_rule_margins_key UNIQUE (rule_id, marketplace),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT minimum_margin_range CHECK (minimum_margin between 0 and 99.99),
  CONSTRAINT repricing_rule_margins_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE CASCADE
);

CREATE TABLE fee_schedules (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  category text,
  effective_from timestamptz(3),
  band_kind text DEFAULT 'whole' NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  created_by text,
  CONSTRAINT fee_schedules_key UNIQUE NULLS NOT DISTINCT (marketplace, category, effective_from),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT category_filled CHECK (char_length(btrim(category)) between 1 and 200),
  CONSTRAINT band_kind_known CHECK (band_kind in ('whole', 'marginal'))
);

CREATE TABLE fee_bands (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  schedule_id bigint NOT NULL,
  up_to numeric(10, 2),
  percent numeric(5, 2) NOT NULL,
  fixed numeric(10, 2) DEFAULT 0 NOT NULL,
  minimum numeric(10, 2) DEFAULT 0 NOT NULL,
  CONSTRAINT fee_bands_key UNIQUE NULLS NOT DISTINCT (schedule_id, up_to),
  CONSTRAINT up_to_range CHECK (up_to between 0.01 and 99999999.99),
  CONSTRAINT percent_range CHECK (percent between 0 and 100),
  CONSTRAINT fixed_range CHECK (fixed between 0 and 99999999.99),
  CONSTRAINT minimum_range CHECK (minimum between 0 and 99999999.99),
  CONSTRAINT fee_bands_schedule_id_fee_schedules_id_fk FOREIGN KEY (schedule_id) REFERENCES fee_schedules(id) ON DELETE CASCADE
);

-- The shipped defaults: United States, every category, to be edited by the seller.
INSERT INTO fee_schedules (marketplace, band_kind, created_by) VALUES
  ('walmart', 'whole', 'Pricewright'),
  ('amazon', 'whole', 'Pricewright'),
  ('michaels', 'whole', 'Pricewright'),
  ('ebay', 'whole', 'Pricewright'),
  ('etsy', 'whole', 'Pricewright'),
  ('shopify', 'whole', 'Pricewright');

INSERT INTO fee_bands (schedule_id, up_to, percent, fixed, minimum)
SELECT s.id, band.up_to, band.percent, band.fixed, band.minimum
FROM (VALUES
  ('walmart', NULL, 15, 0, 0),
  ('amazon', NULL, 15, 0, 0.30),
  ('michaels', NULL, 15, 0, 0),
  ('ebay', 10, 13.6, 0.30, 0),
  ('ebay', NULL, 13.6, 0.40, 0),
  -- 6.5 % and $0.20 for the listing, 3 % and $0.25 for the payment.
  ('etsy', NULL, 9.5, 0.45, 0),
  ('shopify', NULL, 2.9, 0.30, 0)
) AS band (marketplace, up_to, percent, fixed, minimum)
JOIN fee_schedules s ON s.marketplace = band.marketplace;
