-- The prices for business buyers that a seller set on the marketplace, as last read; no row where there are none.
CREATE TABLE business_offers (
  listing_id bigint PRIMARY KEY NOT NULL,
  price numeric(10, 2),
  tiers jsonb NOT NULL,
  lowest_price numeric(10, 2),
  read_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT lowest_price_range CHECK (lowest_price between 0.01 and 99999999.99)
);
ALTER TABLE business_offers ADD CONSTRAINT business_offers_listing_id_listings_id_fk
  FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE CASCADE;

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'external_edit', 'unknown', 'refused', 'sending_paused', 'connection', 'credentials', 'fee_breaker', 'fee_drift', 'lowered_floors', 'hidden_clients', 'below_floor', 'business_price', 'rule_inactive'));
