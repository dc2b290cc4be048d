-- Events that marketplaces send to our public address: where they were asked to send them, which have come, and what is to
-- be read because of them.

ALTER TABLE inflows ADD COLUMN address text;
ALTER TABLE inflows ADD CONSTRAINT address_filled CHECK (char_length(btrim(address)) between 1 and 500);

CREATE TABLE incoming_events (
  marketplace text NOT NULL,
  digest text NOT NULL,
  came_at timestamptz(3) NOT NULL,
  CONSTRAINT incoming_events_marketplace_digest_pk PRIMARY KEY (marketplace, digest),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT digest_filled CHECK (char_length(btrim(digest)) between 1 and 64)
);
CREATE INDEX incoming_events_came_at_idx ON incoming_events (came_at);

CREATE TABLE read_wishes (
  marketplace text NOT NULL,
  what text NOT NULL,
  asked_at timestamptz(3) NOT NULL,
  CONSTRAINT read_wishes_marketplace_what_pk PRIMARY KEY (marketplace, what),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT what_known CHECK (what in ('listings', 'offers', 'sales', 'figures', 'fees'))
);
