-- Prices go out to connected marketplaces: who sends them, and what is on its way.

-- Who does what nobody else may do at the same time. The number rises with every new holder: what an old one still
-- writes is refused by it.
CREATE TABLE leases (
  duty text PRIMARY KEY,
  owner text NOT NULL,
  fence bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT duty_filled CHECK (char_length(btrim(leases.duty)) between 1 and 100),
  CONSTRAINT owner_filled CHECK (char_length(btrim(leases.owner)) between 1 and 100),
  CONSTRAINT fence_range CHECK (leases.fence between 1 and 9007199254740991)
);

ALTER TABLE price_intents ADD COLUMN marketplace text;
UPDATE price_intents i SET marketplace = l.marketplace FROM listings l WHERE l.id = i.listing_id;
ALTER TABLE price_intents ALTER COLUMN marketplace SET NOT NULL;
ALTER TABLE price_intents ADD COLUMN receipt text;
ALTER TABLE price_intents ADD COLUMN not_before timestamptz(3);
ALTER TABLE price_intents ADD COLUMN next_read_at timestamptz(3);
ALTER TABLE price_intents ADD COLUMN reads integer DEFAULT 0 NOT NULL;
ALTER TABLE price_intents ADD CONSTRAINT marketplace_known
  CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'));
ALTER TABLE price_intents ADD CONSTRAINT reads_range CHECK (reads between 0 and 2147483647);
-- One that is out has a moment at which it went, and one that is over has its end.
ALTER TABLE price_intents ADD CONSTRAINT out_since
  CHECK (state not in ('sent', 'accepted', 'unknown') or sent_at is not null);
ALTER TABLE price_intents ADD CONSTRAINT over_since
  CHECK ((state in ('confirmed', 'rejected', 'expired')) = (settled_at is not null));

DROP INDEX price_intents_open_idx;
CREATE INDEX price_intents_open_idx ON price_intents (marketplace, state, listing_id)
  WHERE state in ('queued', 'sent', 'accepted', 'unknown');
CREATE INDEX price_intents_over_idx ON price_intents (settled_at, id) WHERE settled_at is not null;
