-- Listings are sorted and filtered by what they earn: profit and fees at the current price.
ALTER TABLE listing_keys ADD COLUMN shipping_charge numeric(10, 2);
UPDATE listing_keys k SET shipping_charge = l.shipping_charge FROM listings l WHERE l.id = k.listing_id;
ALTER TABLE listing_keys ALTER COLUMN shipping_charge SET NOT NULL;
ALTER TABLE listing_keys ADD CONSTRAINT shipping_charge_range CHECK (shipping_charge between 0 and 99999999.99);
-- From the margin, which is rounded down to a basis point. Wide: the margin may still be that of another price.
ALTER TABLE listing_keys ADD COLUMN profit numeric(25, 2) GENERATED ALWAYS AS
  (floor(margin * (current_price + shipping_charge)) / 100) STORED;
ALTER TABLE listing_keys ADD COLUMN fee_rate numeric(25, 2) GENERATED ALWAYS AS
  (100 * (current_price + shipping_charge - total_cost) / (current_price + shipping_charge) - margin) STORED;
ALTER TABLE listing_keys ADD CONSTRAINT profit_range CHECK (profit between -99999999999999999999.99 and 99999999999999999999.99);
ALTER TABLE listing_keys ADD CONSTRAINT fee_rate_range CHECK (fee_rate between -99999999999999999999.99 and 99999999999999999999.99);
CREATE INDEX listing_keys_profit_idx ON listing_keys (profit, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
CREATE INDEX listing_keys_fee_rate_idx ON listing_keys (fee_rate, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;

-- As in 0023, with the shipping charge.
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
      current_price, shipping_charge, recommended_price IS NOT NULL AS is_recommended, held_by IS NOT NULL AS is_held, held_until,
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
