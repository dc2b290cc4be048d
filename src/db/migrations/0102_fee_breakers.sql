-- Fees told far from what was told of the listing before, and the breaker that opens where they are many at once.
CREATE TABLE fee_jumps (
  listing_id bigint NOT NULL,
  told_at timestamptz(3) NOT NULL,
  before_rate numeric(5, 2) NOT NULL,
  told_rate numeric(5, 2) NOT NULL,
  CONSTRAINT fee_jumps_listing_id_told_at_pk PRIMARY KEY (listing_id, told_at),
  CONSTRAINT before_rate_range CHECK (before_rate between 0 and 100),
  CONSTRAINT told_rate_range CHECK (told_rate between 0 and 100),
  CONSTRAINT fee_jumps_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX fee_jumps_told_at_idx ON fee_jumps (told_at);

CREATE TABLE fee_breakers (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  since timestamptz(3) NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  decided_at timestamptz(3),
  decided_by text,
  decision text,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT decided_by_filled CHECK (char_length(btrim(decided_by)) between 1 and 200),
  CONSTRAINT decision_known CHECK (decision in ('adopt', 'keep')),
  CONSTRAINT decision_has_time CHECK ((decided_at is null) = (decision is null)),
  CONSTRAINT since_before_opened CHECK (since <= opened_at)
);
CREATE UNIQUE INDEX fee_breakers_open_key ON fee_breakers (marketplace) WHERE decided_at is null;

-- What is doubted, and what no longer is, decides prices.
CREATE TRIGGER fee_breakers_due_insert AFTER INSERT ON fee_breakers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');
CREATE TRIGGER fee_breakers_due_update AFTER UPDATE ON fee_breakers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'unknown', 'refused', 'connection', 'credentials', 'fee_breaker', 'fee_drift', 'lowered_floors', 'hidden_clients', 'below_floor', 'rule_inactive'));
