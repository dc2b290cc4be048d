-- Whether prices for business buyers follow the regular price, and the distance that each listing then keeps.
ALTER TABLE marketplace_modes ADD COLUMN business_prices text DEFAULT 'leave' NOT NULL;
ALTER TABLE marketplace_modes ADD CONSTRAINT business_prices_known CHECK (business_prices in ('leave', 'follow'));

CREATE TABLE business_gaps (
  listing_id bigint PRIMARY KEY NOT NULL,
  price_discount numeric(5, 2),
  tiers jsonb NOT NULL,
  taken_at timestamp(3) with time zone NOT NULL,
  written jsonb,
  CONSTRAINT price_discount_range CHECK (price_discount between 0 and 99.99),
  CONSTRAINT business_gaps_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE CASCADE
);
