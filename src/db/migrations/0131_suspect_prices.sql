-- Prices that a list, a document or an event showed and that are not in force, until the item itself is read.
CREATE TABLE suspect_prices (
  listing_id bigint NOT NULL,
  source text NOT NULL,
  marketplace text NOT NULL,
  price numeric(10, 2) NOT NULL,
  read_at timestamptz(3) NOT NULL,
  open_since timestamptz(3),
  stops_sending boolean NOT NULL,
  next_read_at timestamptz(3),
  is_sample boolean NOT NULL DEFAULT false,
  refuted integer NOT NULL DEFAULT 0,
  refuted_at timestamptz(3),
  CONSTRAINT suspect_prices_listing_id_source_pk PRIMARY KEY (listing_id, source),
  CONSTRAINT suspect_prices_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT source_known CHECK (source in ('item', 'list', 'document', 'event')),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT refuted_range CHECK (refuted between 0 and 2147483647),
  CONSTRAINT read_while_open CHECK (open_since is not null or (next_read_at is null and not is_sample)),
  CONSTRAINT refuted_has_time CHECK ((refuted > 0) = (refuted_at is not null))
);
CREATE INDEX suspect_prices_open_idx ON suspect_prices (marketplace, next_read_at) WHERE open_since is not null;

CREATE TABLE price_returns (
  listing_id bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT price_returns_listing_id_at_pk PRIMARY KEY (listing_id, at),
  CONSTRAINT price_returns_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

-- The last reading of a marketplace, if a large share of its prices differed.
CREATE TABLE reading_checks (
  marketplace text PRIMARY KEY,
  source text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  compared integer NOT NULL,
  suspects integer NOT NULL,
  sampled integer NOT NULL,
  in_force integer NOT NULL DEFAULT 0,
  differing integer NOT NULL DEFAULT 0,
  outcome text NOT NULL DEFAULT 'checking',
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT source_known CHECK (source in ('item', 'list', 'document', 'event')),
  CONSTRAINT outcome_known CHECK (outcome in ('checking', 'behind', 'changed')),
  CONSTRAINT compared_range CHECK (compared between 0 and 2147483647),
  CONSTRAINT suspects_range CHECK (suspects between 0 and 2147483647),
  CONSTRAINT sampled_range CHECK (sampled between 0 and 2147483647),
  CONSTRAINT in_force_range CHECK (in_force between 0 and 2147483647),
  CONSTRAINT differing_range CHECK (differing between 0 and 2147483647)
);

-- How far sources are behind the items, counted by the minute.
CREATE TABLE reading_lags (
  marketplace text NOT NULL,
  source text NOT NULL,
  day date NOT NULL,
  minutes integer NOT NULL,
  readings integer NOT NULL,
  CONSTRAINT reading_lags_marketplace_source_day_minutes_pk PRIMARY KEY (marketplace, source, day, minutes),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT source_known CHECK (source in ('item', 'list', 'document', 'event')),
  CONSTRAINT minutes_range CHECK (minutes between 0 and 2147483647),
  CONSTRAINT readings_range CHECK (readings between 1 and 2147483647)
);
