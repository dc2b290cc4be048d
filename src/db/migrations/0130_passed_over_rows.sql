-- Rows of the last reading of each kind that were not taken, or not with their price.
CREATE TABLE passed_over_rows (
  marketplace text NOT NULL,
  kind text NOT NULL,
  position integer NOT NULL,
  what text NOT NULL,
  why text NOT NULL,
  member text,
  value text,
  CONSTRAINT passed_over_rows_marketplace_kind_position_pk PRIMARY KEY (marketplace, kind, position),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT kind_known CHECK (kind in ('listings', 'offers', 'sales', 'figures', 'fees', 'money', 'featured_prices')),
  CONSTRAINT why_known CHECK (why in ('no_sku', 'other_currency', 'repeated', 'not_ours_to_price', 'unreadable', 'price_not_in_cents')),
  CONSTRAINT position_range CHECK (position between 0 and 2147483647),
  CONSTRAINT what_filled CHECK (char_length(btrim(what)) between 1 and 200),
  CONSTRAINT member_filled CHECK (char_length(btrim(member)) between 1 and 200),
  CONSTRAINT value_filled CHECK (char_length(btrim(value)) between 1 and 80)
);

-- What the last reading could not read besides its rows, and what its total means.
ALTER TABLE marketplace_syncs ADD COLUMN notes jsonb;
ALTER TABLE marketplace_syncs ADD COLUMN partial jsonb;

-- The price that is not one, until the marketplace shows another.
ALTER TABLE marketplace_listings ADD COLUMN price_not_in_cents text;
ALTER TABLE marketplace_listings ADD CONSTRAINT price_not_in_cents_filled CHECK (char_length(btrim(price_not_in_cents)) between 1 and 80);
