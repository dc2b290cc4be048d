-- Which listings a rule is for besides its marketplace and fulfillment type, its place among them, and when it applies.
ALTER TABLE repricing_rules ADD COLUMN segment jsonb DEFAULT '{}' NOT NULL;
ALTER TABLE repricing_rules ADD COLUMN priority integer;
ALTER TABLE repricing_rules ADD COLUMN schedule jsonb;
ALTER TABLE repricing_rules ADD CONSTRAINT segment_is_object CHECK (jsonb_typeof(segment) = 'object');
ALTER TABLE repricing_rules ADD CONSTRAINT priority_range CHECK (priority between 1 and 999);
ALTER TABLE repricing_rules ADD CONSTRAINT schedule_is_object CHECK (jsonb_typeof(schedule) = 'object');

-- Where the shop is: days and hours of rules are in its time. Null is UTC.
ALTER TABLE app_settings ADD COLUMN time_zone text;
ALTER TABLE app_settings ADD CONSTRAINT time_zone_filled CHECK (char_length(btrim(time_zone)) between 1 and 100);
CREATE TRIGGER app_settings_time_zone_due AFTER UPDATE ON app_settings FOR EACH ROW
  WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone) EXECUTE FUNCTION everything_is_due('settings');

-- What the marketplaces told of the stock when the day began where the shop is: rules compare it, so that a listing changes
-- its rule for it once a day at most.
CREATE TABLE day_stocks (
  listing_id bigint PRIMARY KEY,
  stock integer NOT NULL,
  CONSTRAINT stock_range CHECK (stock between 0 and 2147483647),
  CONSTRAINT day_stocks_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
-- The day for which they were taken last.
ALTER TABLE repricing_state ADD COLUMN stocks_of date;

-- Labels decide which rule applies; those of listings are added in 0143.
CREATE OR REPLACE FUNCTION edited_skus_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH moved AS (
      SELECT n.id, n.sku, o.sku AS old_sku FROM changed n JOIN before o ON o.id = n.id
      WHERE (n.sku, n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.packaging_cost, n.misc_cost,
          n.brand, n.supplier, n.tags, n.deleted_at IS NULL)
        IS DISTINCT FROM (o.sku, o.product_cost, o.weight_oz, o.length_in, o.width_in, o.height_in, o.packaging_cost,
          o.misc_cost, o.brand, o.supplier, o.tags, o.deleted_at IS NULL))
    SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT sku FROM moved UNION SELECT old_sku FROM moved
      UNION SELECT b.listing_sku FROM bundle_components b JOIN moved m ON m.id = b.component_sku_id)
  ), 'cost');
  RETURN NULL;
END
$$;
