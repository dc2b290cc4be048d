-- Listings of a marketplace that a person asked to move into its other model, by the marketplace's item number.
CREATE TABLE listing_migrations (
  marketplace text NOT NULL,
  item_id text NOT NULL,
  state text NOT NULL,
  generation integer NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamp(3) with time zone NOT NULL,
  next_at timestamp(3) with time zone NOT NULL,
  sent_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  message text,
  CONSTRAINT listing_migrations_marketplace_item_id_pk PRIMARY KEY (marketplace, item_id),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT state_known CHECK (state in ('waiting', 'sent', 'unknown', 'migrated', 'refused')),
  CONSTRAINT item_id_filled CHECK (char_length(btrim(item_id)) between 1 and 30),
  CONSTRAINT asked_by_filled CHECK (char_length(btrim(asked_by)) between 1 and 254),
  CONSTRAINT message_filled CHECK (char_length(btrim(message)) between 1 and 2000),
  CONSTRAINT generation_range CHECK (generation between 0 and 2147483647),
  CONSTRAINT ended CHECK ((state in ('migrated', 'refused')) = (ended_at is not null))
);
CREATE INDEX listing_migrations_open_idx ON listing_migrations (marketplace, next_at) WHERE ended_at IS NULL;
