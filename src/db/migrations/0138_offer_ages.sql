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

-- The listings of the marketplace are marked already; a rule elsewhere may use its offers.
CREATE TRIGGER marketplace_modes_offer_age_due AFTER UPDATE ON marketplace_modes FOR EACH ROW
  WHEN ((OLD.max_offer_age_minutes, OLD.reachable_offer_age_minutes)
    IS DISTINCT FROM (NEW.max_offer_age_minutes, NEW.reachable_offer_age_minutes))
  EXECUTE FUNCTION everything_is_due('settings');

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
