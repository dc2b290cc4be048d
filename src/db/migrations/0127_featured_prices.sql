-- What Amazon says it takes to become the featured offer of a listing, and when each listing was last asked for.
CREATE TABLE featured_prices (
  listing_id bigint PRIMARY KEY,
  price numeric(10, 2),
  status text NOT NULL,
  read_at timestamptz(3) NOT NULL,
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT status_filled CHECK (char_length(btrim(status)) between 1 and 100),
  CONSTRAINT featured_prices_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
ALTER TABLE marketplace_listings ADD COLUMN featured_price_read_at timestamptz(3);
ALTER TABLE marketplace_syncs DROP CONSTRAINT kind_known;
ALTER TABLE marketplace_syncs ADD CONSTRAINT kind_known CHECK (kind in ('listings', 'offers', 'sales', 'figures', 'fees', 'money', 'featured_prices'));
ALTER TABLE sync_requests DROP CONSTRAINT kind_known;
ALTER TABLE sync_requests ADD CONSTRAINT kind_known CHECK (kind in ('listings', 'offers', 'sales', 'figures', 'fees', 'money', 'featured_prices'));
