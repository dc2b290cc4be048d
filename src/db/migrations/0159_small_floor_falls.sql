-- Lowest allowed prices that users lowered by 20% or less at a time: from where, so that the steps add up.
CREATE TABLE small_floor_falls (
  listing_id bigint PRIMARY KEY CONSTRAINT small_floor_falls_listing_id_listings_id_fk REFERENCES listings (id) ON DELETE CASCADE,
  lowest_allowed numeric(10, 2) NOT NULL,
  CONSTRAINT lowest_allowed_range CHECK (lowest_allowed between 0.01 and 99999999.99)
);

-- A change of the margin beyond 999.99 points is known too: a price that was lost by a slipped decimal point.
ALTER TABLE price_history DROP CONSTRAINT margin_impact_range, ALTER COLUMN margin_impact TYPE numeric(15, 2),
  ADD CONSTRAINT margin_impact_range CHECK (margin_impact between -9999999999999.99 and 9999999999999.99);
ALTER TABLE price_intents DROP CONSTRAINT margin_impact_range, ALTER COLUMN margin_impact TYPE numeric(15, 2),
  ADD CONSTRAINT margin_impact_range CHECK (margin_impact between -9999999999999.99 and 9999999999999.99);
