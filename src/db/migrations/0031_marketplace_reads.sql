-- What marketplaces themselves say about our listings, and when each of them was last read.

CREATE TABLE marketplace_listings (
  listing_id bigint PRIMARY KEY NOT NULL,
  keys jsonb NOT NULL,
  is_active boolean NOT NULL,
  quantity integer,
  not_repriced text,
  seen_at timestamptz(3) NOT NULL,
  offers_read_at timestamptz(3),
  CONSTRAINT quantity_range CHECK (quantity between 0 and 2147483647),
  CONSTRAINT not_repriced_filled CHECK (char_length(btrim(not_repriced)) between 1 and 500),
  CONSTRAINT marketplace_listings_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

CREATE TABLE marketplace_reads (
  marketplace text NOT NULL,
  what text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  succeeded_at timestamptz(3),
  problem text,
  counts jsonb,
  CONSTRAINT marketplace_reads_marketplace_what_pk PRIMARY KEY (marketplace, what),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT what_known CHECK (what in ('listings', 'offers', 'sales', 'figures', 'fees')),
  CONSTRAINT problem_filled CHECK (char_length(btrim(problem)) between 1 and 2000)
);
