-- What we sell, what it costs, what a parcel costs.

CREATE TABLE skus (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  sku text NOT NULL,
  name text NOT NULL,
  product_cost numeric(10, 2),
  weight_oz real,
  packaging_cost numeric(10, 2) DEFAULT 0 NOT NULL,
  misc_cost numeric(10, 2) DEFAULT 0 NOT NULL,
  veeqo_id text,
  tags text[] DEFAULT '{}' NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT skus_sku_unique UNIQUE (sku),
  CONSTRAINT sku_filled CHECK (char_length(btrim(sku)) between 1 and 200),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 500),
  CONSTRAINT product_cost_range CHECK (product_cost between 0 and 99999999.99),
  CONSTRAINT weight_oz_range CHECK (weight_oz between 0 and 1000000),
  CONSTRAINT packaging_cost_range CHECK (packaging_cost between 0 and 99999999.99),
  CONSTRAINT misc_cost_range CHECK (misc_cost between 0 and 99999999.99)
);

-- For the equality of text inside the exclusion below. A trusted extension: no superuser is needed.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE shipping_tiers (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  fulfillment_type text NOT NULL,
  min_weight_oz real NOT NULL,
  max_weight_oz real NOT NULL,
  cost numeric(10, 2) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT min_weight_oz_range CHECK (min_weight_oz between 0 and 1000000),
  CONSTRAINT max_weight_oz_range CHECK (max_weight_oz between 0 and 1000000),
  CONSTRAINT min_below_max CHECK (min_weight_oz < max_weight_oz),
  CONSTRAINT cost_range CHECK (cost between 0 and 99999999.99)
);

-- One weight has one tier. Through double precision, not straight to numeric, which would keep only six digits.
ALTER TABLE shipping_tiers ADD CONSTRAINT shipping_tiers_no_overlap EXCLUDE USING gist (
  marketplace WITH =,
  fulfillment_type WITH =,
  numrange(min_weight_oz::double precision::numeric, max_weight_oz::double precision::numeric) WITH &&
);

CREATE TABLE bundle_components (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_sku text NOT NULL,
  component_sku_id bigint NOT NULL,
  quantity integer DEFAULT 1 NOT NULL,
  CONSTRAINT bundle_components_key UNIQUE (listing_sku, component_sku_id),
  CONSTRAINT listing_sku_filled CHECK (char_length(btrim(listing_sku)) between 1 and 200),
  CONSTRAINT quantity_range CHECK (quantity between 1 and 2147483647),
  CONSTRAINT bundle_components_component_sku_id_skus_id_fk FOREIGN KEY (component_sku_id) REFERENCES skus(id) ON DELETE RESTRICT
);
CREATE INDEX bundle_components_component_sku_id_idx ON bundle_components (component_sku_id);
