-- Refusals that pass: the listing is not sent to before that time, and then decided again. Nothing is rejected.
CREATE TABLE send_pauses (
  listing_id bigint PRIMARY KEY,
  marketplace text NOT NULL,
  why text NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  allows_repairs boolean NOT NULL,
  price numeric(10, 2) NOT NULL,
  from_price numeric(10, 2) NOT NULL,
  times integer NOT NULL,
  resume_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT why_known CHECK (why in ('daily_limit', 'revision_limit', 'too_new', 'unclear')),
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT from_price_range CHECK (from_price between 0.01 and 99999999.99),
  CONSTRAINT times_range CHECK (times between 0 and 2147483647)
);
ALTER TABLE send_pauses ADD CONSTRAINT send_pauses_listing_id_listings_id_fk
  FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE RESTRICT;
CREATE INDEX send_pauses_open_idx ON send_pauses (marketplace, until) WHERE ended_at is null;

-- A user's price that waits for the end of a pause: its age counts from then.
ALTER TABLE price_intents ADD COLUMN paused_until timestamp(3) with time zone;

-- What ends a rejection ends a pause by a refusal too that was about the listing itself.
CREATE OR REPLACE FUNCTION clear_refusals(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cleared bigint[];
  resumed bigint[];
BEGIN
  WITH ended AS (
    UPDATE price_intents SET is_refusal_active = false WHERE is_refusal_active AND listing_id = ANY (ids)
    RETURNING listing_id
  )
  SELECT array_agg(listing_id) INTO cleared FROM ended;
  WITH ended AS (
    DELETE FROM send_pauses WHERE why IN ('unclear', 'too_new') AND listing_id = ANY (ids) RETURNING listing_id
  )
  SELECT array_agg(listing_id) INTO resumed FROM ended;
  PERFORM mark_due(cleared || resumed, 'refusal');
END
$$;

-- Other credentials may be another account, with limits of its own.
CREATE OR REPLACE FUNCTION new_credentials_clear_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  resumed bigint[];
BEGIN
  PERFORM clear_refusals((
    SELECT array_agg(listing_id) FROM price_intents WHERE is_refusal_active AND marketplace = NEW.marketplace
  ));
  WITH ended AS (DELETE FROM send_pauses WHERE marketplace = NEW.marketplace RETURNING listing_id)
  SELECT array_agg(listing_id) INTO resumed FROM ended;
  PERFORM mark_due(resumed, 'refusal');
  RETURN NULL;
END
$$;

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'unknown', 'refused', 'sending_paused', 'connection', 'credentials', 'fee_breaker', 'fee_drift', 'lowered_floors', 'hidden_clients', 'below_floor', 'rule_inactive'));
