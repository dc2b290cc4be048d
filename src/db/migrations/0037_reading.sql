-- An order line is one sale, whichever listing of ours it was first told of: it is looked up by its number alone.
CREATE INDEX sales_history_external_id_idx ON sales_history (external_id) WHERE external_id is not null;

-- A listing that the catalogue of its marketplace no longer holds. Of the listing: it decides whether there is a price.
ALTER TABLE listings ADD COLUMN gone_since timestamptz(3);

-- Which reading of the catalogue held a listing last, by the moment at which that began, and since which one it is
-- missing: a second reading without it makes it gone.
ALTER TABLE marketplace_listings ADD COLUMN seen_in timestamptz(3);
ALTER TABLE marketplace_listings ADD COLUMN missing_since timestamptz(3);

-- As with offers: a reading that its budget ends is gone on with where it stopped.
ALTER TABLE marketplace_listings ADD COLUMN figures_read_at timestamptz(3);
ALTER TABLE marketplace_listings ADD COLUMN fees_read_at timestamptz(3);

-- As before, and with what makes a listing gone. Replacing a function drops its settings: they are those of 0014.
CREATE OR REPLACE FUNCTION edited_listings_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(n.id) FROM changed n JOIN before o ON o.id = n.id
    WHERE n.deleted_at IS NULL AND (
      n.marketplace, n.sku, n.fulfillment_type, n.auto_repricing_enabled, n.rule_id, n.shipping_cost, n.shipping_charge,
      n.fulfillment_cost, n.fee_category, n.min_price, n.max_price, n.held_until, n.held_by, n.bundle_unconfirmed,
      n.anchor_price, n.deleted_at, n.gone_since
    ) IS DISTINCT FROM (
      o.marketplace, o.sku, o.fulfillment_type, o.auto_repricing_enabled, o.rule_id, o.shipping_cost, o.shipping_charge,
      o.fulfillment_cost, o.fee_category, o.min_price, o.max_price, o.held_until, o.held_by, o.bundle_unconfirmed,
      o.anchor_price, o.deleted_at, o.gone_since
    ) OR (n.deleted_at IS NULL AND n.awaiting_upload_since IS NULL AND o.awaiting_upload_since IS NOT NULL)
  ), 'listing');
  RETURN NULL;
END
$$;
