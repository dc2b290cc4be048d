-- Each file of prices that was made for an upload, by the ledger rows it contains: saying "uploaded" clears exactly those.

CREATE TABLE price_files (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  made_at timestamptz(3) NOT NULL,
  made_by text NOT NULL,
  listing_ids bigint[] NOT NULL,
  price_ids bigint[] NOT NULL,
  CONSTRAINT price_files_key UNIQUE (marketplace, made_at),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT one_price_each CHECK (cardinality(listing_ids) = cardinality(price_ids))
);
