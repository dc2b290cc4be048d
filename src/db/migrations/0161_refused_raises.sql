-- Raising the price from which eBay accepts Best Offers: what eBay refused, so that it is not asked for again, and how often
-- the listing was revised by it on eBay's day, which counts towards the revisions that eBay allows.
ALTER TABLE marketplace_listings
  ADD COLUMN raise_refused text
    CONSTRAINT raise_refused_filled CHECK (char_length(btrim(raise_refused)) between 1 and 100),
  ADD COLUMN raises_today integer NOT NULL DEFAULT 0
    CONSTRAINT raises_today_range CHECK (raises_today between 0 and 2147483647),
  ADD COLUMN raises_day timestamptz(3);
