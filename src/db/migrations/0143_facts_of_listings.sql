-- What a seller knows of a listing and no marketplace tells: the MAP price with its days, stock and its age, and a price from
-- elsewhere, each of the last two with its time.
ALTER TABLE listings
  ADD COLUMN map_price numeric(10, 2) CONSTRAINT map_price_range CHECK (map_price between 0.01 and 99999999.99),
  ADD COLUMN map_from date,
  ADD COLUMN map_until date,
  ADD COLUMN stock integer CONSTRAINT stock_range CHECK (stock between 0 and 2147483647),
  ADD COLUMN stock_at timestamptz(3),
  ADD COLUMN stock_age_days integer CONSTRAINT stock_age_days_range CHECK (stock_age_days between 0 and 2147483647),
  ADD COLUMN stock_age_at timestamptz(3),
  ADD COLUMN external_price numeric(10, 2) CONSTRAINT external_price_range CHECK (external_price between 0.01 and 99999999.99),
  ADD COLUMN external_price_at timestamptz(3),
  ADD CONSTRAINT map_days_in_order CHECK (map_from <= map_until),
  ADD CONSTRAINT stock_whole CHECK ((stock is null) = (stock_at is null)),
  ADD CONSTRAINT stock_age_whole CHECK ((stock_age_days is null) = (stock_age_at is null)),
  ADD CONSTRAINT external_price_whole CHECK ((external_price is null) = (external_price_at is null));

-- As in 0110, with these and the labels. Replacing a function drops its settings: they are those of 0014.
CREATE OR REPLACE FUNCTION edited_listings_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(n.id) FROM changed n JOIN before o ON o.id = n.id
    WHERE n.deleted_at IS NULL AND (
      n.marketplace, n.sku, n.fulfillment_type, n.auto_repricing_enabled, n.rule_id, n.shipping_cost, n.shipping_charge,
      n.fulfillment_cost, n.fee_category, n.product_type, n.external_category, n.accepted_category, n.min_price,
      n.max_price, n.held_until, n.held_by, n.bundle_unconfirmed, n.anchor_price, n.deleted_at, n.missing_since,
      n.fee_rate, n.ad_share, n.return_share, n.brand, n.supplier, n.map_price, n.map_from, n.map_until, n.stock, n.stock_at,
      n.stock_age_days, n.stock_age_at, n.external_price, n.external_price_at
    ) IS DISTINCT FROM (
      o.marketplace, o.sku, o.fulfillment_type, o.auto_repricing_enabled, o.rule_id, o.shipping_cost, o.shipping_charge,
      o.fulfillment_cost, o.fee_category, o.product_type, o.external_category, o.accepted_category, o.min_price,
      o.max_price, o.held_until, o.held_by, o.bundle_unconfirmed, o.anchor_price, o.deleted_at, o.missing_since,
      o.fee_rate, o.ad_share, o.return_share, o.brand, o.supplier, o.map_price, o.map_from, o.map_until, o.stock, o.stock_at,
      o.stock_age_days, o.stock_age_at, o.external_price, o.external_price_at
    ) OR (n.deleted_at IS NULL AND n.awaiting_upload_since IS NULL AND o.awaiting_upload_since IS NOT NULL)
  ), 'listing');
  RETURN NULL;
END
$$;
