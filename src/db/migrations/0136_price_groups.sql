-- Listings that their marketplace gives one price are decided, sent and confirmed together.
ALTER TABLE listings ADD COLUMN group_key text;
ALTER TABLE listings ADD CONSTRAINT group_key_filled CHECK (char_length(btrim(group_key)) between 1 and 200);
CREATE INDEX listings_group_idx ON listings (marketplace, group_key) WHERE group_key is not null and deleted_at is null;

-- The prices of the members of a group are one: each has a row, and what happens to one of them happens to all.
ALTER TABLE price_intents ADD COLUMN group_key text;
ALTER TABLE price_intents ADD COLUMN group_order uuid;
ALTER TABLE price_intents ADD COLUMN group_size integer;
ALTER TABLE price_intents ADD CONSTRAINT group_key_filled CHECK (char_length(btrim(group_key)) between 1 and 200);
ALTER TABLE price_intents ADD CONSTRAINT group_size_range CHECK (group_size between 1 and 2147483647);
ALTER TABLE price_intents ADD CONSTRAINT group_order_is_whole CHECK ((group_order is null) = (group_size is null) and (group_order is null or group_key is not null));
CREATE INDEX price_intents_group_order_idx ON price_intents (group_order) WHERE group_order is not null;

CREATE FUNCTION settle_group_together() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE price_intents i SET state = NEW.state, sent_at = NEW.sent_at, settled_at = NEW.settled_at,
    marketplace_message = NEW.marketplace_message, is_refusal_active = NEW.is_refusal_active, receipt = NEW.receipt,
    not_before = NEW.not_before, paused_until = NEW.paused_until, expires_at = NEW.expires_at,
    next_read_at = NEW.next_read_at, reads = NEW.reads
  WHERE i.group_order = NEW.group_order AND i.id <> NEW.id
    AND (i.state, i.sent_at, i.settled_at, i.marketplace_message, i.is_refusal_active, i.receipt, i.not_before,
      i.paused_until, i.expires_at, i.next_read_at, i.reads)
    IS DISTINCT FROM (NEW.state, NEW.sent_at, NEW.settled_at, NEW.marketplace_message, NEW.is_refusal_active, NEW.receipt,
      NEW.not_before, NEW.paused_until, NEW.expires_at, NEW.next_read_at, NEW.reads);
  RETURN NULL;
END
$$;
CREATE TRIGGER price_intents_group AFTER UPDATE ON price_intents FOR EACH ROW
  WHEN (NEW.group_order IS NOT NULL) EXECUTE FUNCTION settle_group_together();

-- A group that a listing joins or leaves is another one: what was queued for it is decided again, and what was sent is
-- settled for each listing alone.
CREATE FUNCTION end_group_prices(of_marketplace text, key text, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  members bigint[];
BEGIN
  SELECT array_agg(id) INTO members FROM listings
  WHERE marketplace = of_marketplace AND group_key = key AND deleted_at IS NULL;
  UPDATE price_intents SET state = 'expired', settled_at = at, next_read_at = NULL,
    marketplace_message = 'The listing was changed on its marketplace.'
  WHERE state = 'queued' AND marketplace = of_marketplace AND (group_key = key OR listing_id = ANY(members));
  UPDATE price_intents SET group_order = NULL, group_size = NULL
  WHERE state IN ('sent', 'accepted', 'unknown') AND marketplace = of_marketplace AND group_key = key;
  PERFORM mark_due(members, 'listing');
END
$$;

CREATE FUNCTION price_groups_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.group_key IS NOT NULL THEN
    PERFORM end_group_prices(OLD.marketplace, OLD.group_key, NEW.updated_at);
  END IF;
  IF NEW.group_key IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.group_key IS DISTINCT FROM OLD.group_key) THEN
    PERFORM end_group_prices(NEW.marketplace, NEW.group_key, NEW.updated_at);
  END IF;
  IF NEW.deleted_at IS NULL THEN
    PERFORM mark_due(ARRAY[NEW.id], 'listing');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_group_insert AFTER INSERT ON listings FOR EACH ROW
  WHEN (NEW.group_key IS NOT NULL) EXECUTE FUNCTION price_groups_follow();
CREATE TRIGGER listings_group_update AFTER UPDATE OF group_key, deleted_at ON listings FOR EACH ROW
  WHEN ((NEW.group_key IS NOT NULL OR OLD.group_key IS NOT NULL)
    AND (NEW.group_key IS DISTINCT FROM OLD.group_key OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)))
  EXECUTE FUNCTION price_groups_follow();

-- As in 0010; a price group is due when one of its members is.
CREATE OR REPLACE FUNCTION mark_due(ids bigint[], why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ids IS NULL THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM listings WHERE group_key IS NOT NULL AND deleted_at IS NULL) THEN
    ids := ids || ARRAY(SELECT mate.id FROM listings l
      JOIN listings mate ON mate.marketplace = l.marketplace AND mate.group_key = l.group_key AND mate.deleted_at IS NULL
      WHERE l.id = ANY(ids) AND l.group_key IS NOT NULL AND l.deleted_at IS NULL AND mate.id <> l.id);
  END IF;
  -- In one order for everybody, so that two writers wait for each other instead of deadlocking.
  INSERT INTO due_listings (listing_id, cause)
  SELECT id, why FROM (SELECT DISTINCT unnest(ids) AS id ORDER BY 1) touched
  ON CONFLICT (listing_id) DO UPDATE SET mark = excluded.mark;
  PERFORM pg_notify('pricewright_due', '');
END
$$;
