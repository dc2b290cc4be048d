-- What the marketplace tells a listing is, and the fee category that this probably means.

ALTER TABLE listings
  ADD COLUMN product_type text CONSTRAINT product_type_filled CHECK (char_length(btrim(product_type)) between 1 and 200),
  ADD COLUMN external_category text CONSTRAINT external_category_filled CHECK (char_length(btrim(external_category)) between 1 and 200),
  ADD COLUMN accepted_category text CONSTRAINT accepted_category_filled CHECK (char_length(btrim(accepted_category)) between 1 and 200);

CREATE TABLE category_map (
  marketplace text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  category text NOT NULL,
  CONSTRAINT category_map_marketplace_kind_key_pk PRIMARY KEY (marketplace, kind, key),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT kind_known CHECK (kind in ('product_type', 'external_category')),
  CONSTRAINT key_filled CHECK (char_length(btrim(key)) between 1 and 200),
  CONSTRAINT category_filled CHECK (char_length(btrim(category)) between 1 and 200)
);

-- As in 0069, with what a fee category is found from. Replacing a function drops its settings: they are those of 0014.
CREATE OR REPLACE FUNCTION edited_listings_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(n.id) FROM changed n JOIN before o ON o.id = n.id
    WHERE n.deleted_at IS NULL AND (
      n.marketplace, n.sku, n.fulfillment_type, n.auto_repricing_enabled, n.rule_id, n.shipping_cost, n.shipping_charge,
      n.fulfillment_cost, n.fee_category, n.product_type, n.external_category, n.accepted_category, n.min_price,
      n.max_price, n.held_until, n.held_by, n.bundle_unconfirmed, n.anchor_price, n.deleted_at, n.missing_since
    ) IS DISTINCT FROM (
      o.marketplace, o.sku, o.fulfillment_type, o.auto_repricing_enabled, o.rule_id, o.shipping_cost, o.shipping_charge,
      o.fulfillment_cost, o.fee_category, o.product_type, o.external_category, o.accepted_category, o.min_price,
      o.max_price, o.held_until, o.held_by, o.bundle_unconfirmed, o.anchor_price, o.deleted_at, o.missing_since
    ) OR (n.deleted_at IS NULL AND n.awaiting_upload_since IS NULL AND o.awaiting_upload_since IS NOT NULL)
  ), 'listing');
  RETURN NULL;
END
$$;

CREATE TRIGGER category_map_due_insert AFTER INSERT ON category_map
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');
CREATE TRIGGER category_map_due_delete AFTER DELETE ON category_map
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');

-- Another product type may have other fees: the marketplace is asked for them in the next sync.
CREATE TRIGGER listings_another_product_type AFTER UPDATE OF product_type ON listings FOR EACH ROW
  WHEN (OLD.product_type <> NEW.product_type) EXECUTE FUNCTION fees_of_another_shipper_are_asked();

-- A fee category has no date: another one applies to every sale.
DROP TRIGGER listings_sales_due_update ON listings;
CREATE TRIGGER listings_sales_due_update AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.marketplace, OLD.sku, OLD.fee_category, OLD.product_type, OLD.external_category, OLD.accepted_category,
      OLD.bundle_unconfirmed)
    IS DISTINCT FROM (NEW.marketplace, NEW.sku, NEW.fee_category, NEW.product_type, NEW.external_category,
      NEW.accepted_category, NEW.bundle_unconfirmed))
  EXECUTE FUNCTION sales_of_listing_are_due();

-- As in 0075, with the listings whose category is found by what the marketplace tells: any schedule may be theirs.
CREATE OR REPLACE FUNCTION sales_of_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(c.effective_from))
  FROM changed c JOIN listings l ON l.marketplace = c.marketplace
    AND (lower(btrim(coalesce(l.fee_category, ''))) = lower(btrim(coalesce(c.category, '')))
      OR l.fee_category IS NULL AND (l.product_type IS NOT NULL OR l.external_category IS NOT NULL));
  RETURN NULL;
END
$$;

CREATE FUNCTION sales_of_category_map_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(id), array_agg(NULL::timestamptz)) FROM listings
  WHERE marketplace IN (SELECT marketplace FROM changed) AND fee_category IS NULL
    AND (product_type IS NOT NULL OR external_category IS NOT NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER category_map_sales_due_insert AFTER INSERT ON category_map
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_category_map_are_due();
CREATE TRIGGER category_map_sales_due_delete AFTER DELETE ON category_map
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_category_map_are_due();
