-- The list of SKUs, and what deleting one means. A deleted SKU is only marked: its code stays taken, so that a new SKU of
-- that code is the old row again and the bundles it is part of find it. While it is marked its cost is unknown, never
-- zero, and whatever is packed from it is blocked.

ALTER TABLE skus
  ADD COLUMN deleted_at timestamptz(3),
  -- Small letters in the order of their code points, alike on every server: to sort by, and to look for a part of.
  ADD COLUMN sku_key text COLLATE "C" GENERATED ALWAYS AS (lower(sku)) STORED,
  ADD COLUMN name_key text COLLATE "C" GENERATED ALWAYS AS (lower(name)) STORED;

CREATE INDEX skus_search_idx ON skus USING gin (sku_key gin_trgm_ops, name_key gin_trgm_ops) WHERE deleted_at is null;
-- One per order, with the id behind it, so that pages never overlap; read backwards it is the other direction. Where a
-- value may be missing the other direction needs an index of its own: SKUs without one come last either way.
CREATE INDEX skus_sku_key_idx ON skus (sku_key, id) WHERE deleted_at is null;
CREATE INDEX skus_name_key_idx ON skus (name_key, id) WHERE deleted_at is null;
CREATE INDEX skus_packaging_cost_idx ON skus (packaging_cost, id) WHERE deleted_at is null;
CREATE INDEX skus_misc_cost_idx ON skus (misc_cost, id) WHERE deleted_at is null;
CREATE INDEX skus_product_cost_idx ON skus (product_cost, id) WHERE deleted_at is null;
CREATE INDEX skus_product_cost_down_idx ON skus (product_cost DESC NULLS LAST, id DESC NULLS LAST) WHERE deleted_at is null;
CREATE INDEX skus_weight_oz_idx ON skus (weight_oz, id) WHERE deleted_at is null;
CREATE INDEX skus_weight_oz_down_idx ON skus (weight_oz DESC NULLS LAST, id DESC NULLS LAST) WHERE deleted_at is null;
CREATE INDEX skus_veeqo_id_idx ON skus (veeqo_id, id) WHERE deleted_at is null;
CREATE INDEX skus_veeqo_id_down_idx ON skus (veeqo_id DESC NULLS LAST, id DESC NULLS LAST) WHERE deleted_at is null;

-- Deleting a SKU and bringing it back change every cost it goes into.
CREATE OR REPLACE FUNCTION edited_skus_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH moved AS (
      SELECT n.id, n.sku, o.sku AS old_sku FROM changed n JOIN before o ON o.id = n.id
      WHERE (n.sku, n.product_cost, n.weight_oz, n.packaging_cost, n.misc_cost, n.deleted_at IS NULL)
        IS DISTINCT FROM (o.sku, o.product_cost, o.weight_oz, o.packaging_cost, o.misc_cost, o.deleted_at IS NULL))
    SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT sku FROM moved UNION SELECT old_sku FROM moved
      UNION SELECT b.listing_sku FROM bundle_components b JOIN moved m ON m.id = b.component_sku_id)
  ), 'cost');
  RETURN NULL;
END
$$;
