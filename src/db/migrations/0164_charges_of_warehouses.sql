-- Profit at the current price without a shipping charge that the marketplace keeps: of an item that its own warehouse sends.
-- As in 0101, but for that.
CREATE OR REPLACE FUNCTION keep_listing_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO listing_keys (listing_id, is_live, marketplace, fulfillment_type, sku_key, title_key, long_title,
    current_price, shipping_charge, is_recommended, is_held, held_until, is_to_upload, awaiting_upload_since, is_off)
  SELECT * FROM (
    SELECT id AS listing_id, deleted_at IS NULL AS is_live, marketplace, fulfillment_type,
      lower(sku) AS sku_key, left(lower(title), 200) AS title_key,
      -- An index holds no text of any length; the search needs all of it.
      CASE WHEN char_length(title) > 200 THEN lower(title) END AS long_title,
      current_price, CASE WHEN fulfillment_type <> 'FBM' AND marketplace IN ('amazon', 'walmart') THEN 0 ELSE shipping_charge END AS shipping_charge,
      recommended_price IS NOT NULL AS is_recommended, held_by IS NOT NULL AS is_held, held_until,
      awaiting_upload_since IS NOT NULL AS is_to_upload, awaiting_upload_since, NOT auto_repricing_enabled AS is_off
    FROM changed
  ) n
  WHERE NOT EXISTS (
    SELECT FROM listing_keys kept
    WHERE kept.listing_id = n.listing_id AND (kept.is_live, kept.marketplace, kept.fulfillment_type, kept.sku_key,
        kept.title_key, kept.long_title, kept.current_price, kept.shipping_charge, kept.is_recommended, kept.is_held, kept.held_until,
        kept.is_to_upload, kept.awaiting_upload_since, kept.is_off)
      IS NOT DISTINCT FROM (n.is_live, n.marketplace, n.fulfillment_type, n.sku_key, n.title_key, n.long_title,
        n.current_price, n.shipping_charge, n.is_recommended, n.is_held, n.held_until, n.is_to_upload, n.awaiting_upload_since, n.is_off))
  -- In one order for everybody, so that two writers wait for each other instead of deadlocking.
  ORDER BY listing_id
  ON CONFLICT (listing_id) DO UPDATE SET
    is_live = excluded.is_live, marketplace = excluded.marketplace, fulfillment_type = excluded.fulfillment_type,
    sku_key = excluded.sku_key, title_key = excluded.title_key, long_title = excluded.long_title,
    current_price = excluded.current_price, shipping_charge = excluded.shipping_charge, is_recommended = excluded.is_recommended, is_held = excluded.is_held,
    held_until = excluded.held_until, is_to_upload = excluded.is_to_upload,
    awaiting_upload_since = excluded.awaiting_upload_since, is_off = excluded.is_off;
  RETURN NULL;
END
$$;

UPDATE listing_keys SET shipping_charge = 0
WHERE fulfillment_type <> 'FBM' AND marketplace IN ('amazon', 'walmart') AND shipping_charge <> 0;
-- Their margin floors were too low by it.
SELECT mark_due((SELECT array_agg(id) FROM listings
  WHERE fulfillment_type <> 'FBM' AND marketplace IN ('amazon', 'walmart') AND shipping_charge <> 0 AND deleted_at IS NULL), 'migration');
