-- The marketplace told with the reading that offers could hold the buy box and none does.
ALTER TABLE competition_readings ADD COLUMN box_suppressed boolean DEFAULT false NOT NULL;

-- As in 0138, with the buy box.
CREATE OR REPLACE FUNCTION repeated_readings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_offers_due((
    SELECT array_agg(n.listing_id) FROM changed n JOIN before o ON o.listing_id = n.listing_id
    JOIN listings l ON l.id = n.listing_id
    JOIN (SELECT marketplace, max_offer_age(marketplace) AS age FROM marketplace_modes) m ON m.marketplace = l.marketplace
    WHERE n.coverage IS DISTINCT FROM o.coverage OR n.box_suppressed IS DISTINCT FROM o.box_suppressed
      OR (n.read_at IS DISTINCT FROM o.read_at
        AND NOT coalesce(n.read_at > o.read_at AND n.read_at <= o.read_at + m.age, false))));
  RETURN NULL;
END
$$;
