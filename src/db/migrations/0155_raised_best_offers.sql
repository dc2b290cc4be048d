-- Raising the price from which eBay accepts Best Offers: when it may be tried again, and why eBay refused it.
ALTER TABLE marketplace_listings
  ADD COLUMN raise_after timestamptz,
  ADD COLUMN raise_refusal text
    CONSTRAINT raise_refusal_filled CHECK (char_length(btrim(raise_refusal)) between 1 and 500);
-- The sender looks for them every minute.
CREATE INDEX marketplace_listings_auto_accept_idx ON marketplace_listings (listing_id)
  WHERE auto_accept_price IS NOT NULL;
