-- Listings that are new, or are named otherwise than before: what was booked for their SKU or item until now belongs to them.
CREATE TABLE money_match_due (
  listing_id bigint PRIMARY KEY,
  CONSTRAINT money_match_due_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX money_events_lost_sku_idx ON money_events (marketplace, sku)
  WHERE superseded_by is null AND matched_by = 'marketplace' AND kind <> 'transfer' AND sku is not null;
CREATE INDEX money_events_lost_item_idx ON money_events (marketplace, item_id)
  WHERE superseded_by is null AND matched_by = 'marketplace' AND kind <> 'transfer' AND sku is null AND item_id is not null;

-- In one order for all writers. An update instead of nothing: it waits for whoever is matching the listing.
CREATE FUNCTION money_of_listings_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_match_due (listing_id) SELECT id FROM changed ORDER BY id
  ON CONFLICT (listing_id) DO UPDATE SET listing_id = excluded.listing_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_money_insert AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION money_of_listings_is_due();

CREATE FUNCTION money_of_renamed_listing_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_match_due (listing_id) VALUES (NEW.id)
  ON CONFLICT (listing_id) DO UPDATE SET listing_id = excluded.listing_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_money_update AFTER UPDATE OF sku, marketplace_item_id ON listings FOR EACH ROW
  WHEN ((OLD.sku, OLD.marketplace_item_id) IS DISTINCT FROM (NEW.sku, NEW.marketplace_item_id))
  EXECUTE FUNCTION money_of_renamed_listing_is_due();

-- What was booked until now. By SKU and by item apart: before PostgreSQL 18, a join on either of them is one on the
-- marketplace alone.
INSERT INTO money_match_due (listing_id)
SELECT l.id FROM money_events e JOIN listings l ON l.marketplace = e.marketplace AND l.sku = e.sku
WHERE e.superseded_by IS NULL AND e.matched_by = 'marketplace' AND e.kind <> 'transfer'
UNION
SELECT l.id FROM money_events e JOIN listings l ON l.marketplace = e.marketplace AND l.marketplace_item_id = e.item_id
WHERE e.superseded_by IS NULL AND e.matched_by = 'marketplace' AND e.kind <> 'transfer' AND e.sku IS NULL;
