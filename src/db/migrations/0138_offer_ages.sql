-- The maximum offer age of a marketplace: an administrator's, else that of the repricing limits or, where the marketplace's
-- budget reads its listings less often, the age that it reaches.
ALTER TABLE marketplace_modes ADD COLUMN max_offer_age_minutes integer;
ALTER TABLE marketplace_modes ADD COLUMN reachable_offer_age_minutes integer;
ALTER TABLE marketplace_modes ADD CONSTRAINT max_offer_age_minutes_range
  CHECK (max_offer_age_minutes between 60 and 4320);
ALTER TABLE marketplace_modes ADD CONSTRAINT reachable_offer_age_minutes_range
  CHECK (reachable_offer_age_minutes between 0 and 4320);

CREATE FUNCTION max_offer_age(of_marketplace text) RETURNS interval LANGUAGE sql STABLE AS $$
  SELECT coalesce(m.max_offer_age_minutes, greatest(s.max_offer_age_minutes, m.reachable_offer_age_minutes))
    * interval '1 minute'
  FROM marketplace_modes m CROSS JOIN app_settings s WHERE m.marketplace = of_marketplace
$$;

-- A statement trigger knows no columns: the ages have a trigger of their own.
CREATE FUNCTION mode_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due(
    (SELECT array_agg(id) FROM listings WHERE deleted_at IS NULL AND marketplace = NEW.marketplace), 'engine');
  RETURN NULL;
END
$$;
DROP TRIGGER marketplace_modes_due ON marketplace_modes;
CREATE TRIGGER marketplace_modes_due
  AFTER UPDATE OF mode, changed_at, changed_by, reset_reason, external_edits ON marketplace_modes
  FOR EACH ROW EXECUTE FUNCTION mode_is_due();

-- Due are listings for which another age counts now, and those of the same SKU where a rule looks at other channels.
CREATE FUNCTION offer_age_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  usual integer := (SELECT max_offer_age_minutes FROM app_settings);
BEGIN
  IF coalesce(OLD.max_offer_age_minutes, greatest(usual, OLD.reachable_offer_age_minutes))
    = coalesce(NEW.max_offer_age_minutes, greatest(usual, NEW.reachable_offer_age_minutes)) THEN
    RETURN NULL;
  END IF;
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l
    WHERE l.deleted_at IS NULL AND (l.marketplace = NEW.marketplace
      OR (EXISTS (SELECT FROM repricing_rules r WHERE r.other_channels AND r.deleted_at IS NULL)
        AND l.sku IN (SELECT sku FROM listings WHERE marketplace = NEW.marketplace AND deleted_at IS NULL)))
  ), 'settings');
  RETURN NULL;
END
$$;
CREATE TRIGGER marketplace_modes_offer_age_due AFTER UPDATE ON marketplace_modes FOR EACH ROW
  WHEN ((OLD.max_offer_age_minutes, OLD.reachable_offer_age_minutes)
    IS DISTINCT FROM (NEW.max_offer_age_minutes, NEW.reachable_offer_age_minutes))
  EXECUTE FUNCTION offer_age_is_due();

CREATE OR REPLACE FUNCTION repeated_readings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_offers_due((
    SELECT array_agg(n.listing_id) FROM changed n JOIN before o ON o.listing_id = n.listing_id
    JOIN listings l ON l.id = n.listing_id
    JOIN (SELECT marketplace, max_offer_age(marketplace) AS age FROM marketplace_modes) m ON m.marketplace = l.marketplace
    WHERE n.coverage IS DISTINCT FROM o.coverage
      OR (n.read_at IS DISTINCT FROM o.read_at
        AND NOT coalesce(n.read_at > o.read_at AND n.read_at <= o.read_at + m.age, false))));
  RETURN NULL;
END
$$;

-- Listings that an event put first.
CREATE INDEX marketplace_listings_offers_asked_idx ON marketplace_listings (listing_id) WHERE offers_read_at IS NULL;
