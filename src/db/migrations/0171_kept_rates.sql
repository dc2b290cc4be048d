-- Own commissions that an administrator kept while the marketplace charges another one: that is no longer listed.
CREATE TABLE kept_rates (
  marketplace text NOT NULL,
  told_rate numeric(5, 2) NOT NULL,
  own_rate numeric(5, 2) NOT NULL,
  kept_by text NOT NULL,
  kept_at timestamptz(3) NOT NULL,
  CONSTRAINT kept_rates_marketplace_told_rate_own_rate_pk PRIMARY KEY (marketplace, told_rate, own_rate),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT told_rate_range CHECK (told_rate between 0 and 100),
  CONSTRAINT own_rate_range CHECK (own_rate between 0 and 100),
  CONSTRAINT kept_by_filled CHECK (char_length(btrim(kept_by)) between 1 and 200)
);
