-- What the last reading of a listing's competitors was, also when it showed none: only that tells silence from "no competitor".
CREATE TABLE competition_readings (
  listing_id bigint PRIMARY KEY,
  read_at timestamptz(3),
  coverage text,
  source text,
  unread_at timestamptz(3),
  unread_reason text,
  CONSTRAINT coverage_known CHECK (coverage in ('all', 'top', 'box')),
  CONSTRAINT source_known CHECK (source in ('sync', 'event', 'file')),
  CONSTRAINT unread_reason_filled CHECK (char_length(btrim(unread_reason)) between 1 and 500),
  CONSTRAINT reading_whole CHECK ((read_at is null) = (coverage is null) and (read_at is null) = (source is null)),
  CONSTRAINT unread_whole CHECK ((unread_at is null) = (unread_reason is null)),
  CONSTRAINT competition_readings_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
) WITH (fillfactor = 80);

-- What is stored was read: by a sync where it left its time, else from a file. Walmart's sync shows the buy box alone.
INSERT INTO competition_readings (listing_id, read_at, coverage, source)
SELECT l.id, coalesce(m.offers_seen_at, o.seen_at),
  CASE WHEN m.offers_seen_at IS NOT NULL AND l.marketplace = 'walmart' THEN 'box' ELSE 'all' END,
  CASE WHEN m.offers_seen_at IS NOT NULL THEN 'sync' ELSE 'file' END
FROM listings l
LEFT JOIN marketplace_listings m ON m.listing_id = l.id
LEFT JOIN (SELECT listing_id, max(seen_at) AS seen_at FROM competitor_offers GROUP BY listing_id) o ON o.listing_id = l.id
WHERE coalesce(m.offers_seen_at, o.seen_at) IS NOT NULL;

ALTER TABLE marketplace_listings DROP COLUMN offers_seen_at;

-- As for offers: a later reading of the same kind says nothing new while the one before still counted.
CREATE FUNCTION readings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_offers_due((SELECT array_agg(listing_id) FROM changed WHERE read_at IS NOT NULL));
  RETURN NULL;
END
$$;
CREATE TRIGGER competition_readings_due_insert AFTER INSERT ON competition_readings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION readings_are_due();
CREATE FUNCTION repeated_readings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  age interval := (SELECT max_offer_age_minutes * interval '1 minute' FROM app_settings);
BEGIN
  PERFORM mark_offers_due((
    SELECT array_agg(n.listing_id) FROM changed n JOIN before o ON o.listing_id = n.listing_id
    WHERE n.coverage IS DISTINCT FROM o.coverage
      OR (n.read_at IS DISTINCT FROM o.read_at
        AND NOT coalesce(n.read_at > o.read_at AND n.read_at <= o.read_at + age, false))));
  RETURN NULL;
END
$$;
CREATE TRIGGER competition_readings_due_update AFTER UPDATE ON competition_readings
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION repeated_readings_are_due();
