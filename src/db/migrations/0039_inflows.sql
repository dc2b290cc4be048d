-- What comes in by itself, beside what is asked for; and as of when the offers of a listing are: an older message must
-- not take the place of a newer reading.

CREATE TABLE inflows (
  marketplace text PRIMARY KEY NOT NULL,
  since timestamptz(3),
  last_at timestamptz(3),
  problem text,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT problem_filled CHECK (char_length(btrim(problem)) between 1 and 2000)
);

ALTER TABLE marketplace_listings ADD COLUMN offers_seen_at timestamptz(3);
