-- Hazardous goods: warehouses charge other fees for them. Like a cost it applies from when it is entered; stored SKUs are none.
ALTER TABLE skus ADD COLUMN is_hazardous boolean DEFAULT false NOT NULL;
ALTER TABLE sku_costs ADD COLUMN is_hazardous boolean DEFAULT false NOT NULL;

-- As in 0141: a hazardous SKU decides the fee of its listings, and of the bundles that it is in.
CREATE OR REPLACE FUNCTION edited_skus_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH moved AS (
      SELECT n.id, n.sku, o.sku AS old_sku FROM changed n JOIN before o ON o.id = n.id
      WHERE (n.sku, n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.is_hazardous, n.packaging_cost,
          n.misc_cost, n.brand, n.supplier, n.tags, n.deleted_at IS NULL)
        IS DISTINCT FROM (o.sku, o.product_cost, o.weight_oz, o.length_in, o.width_in, o.height_in, o.is_hazardous,
          o.packaging_cost, o.misc_cost, o.brand, o.supplier, o.tags, o.deleted_at IS NULL))
    SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT sku FROM moved UNION SELECT old_sku FROM moved
      UNION SELECT b.listing_sku FROM bundle_components b JOIN moved m ON m.id = b.component_sku_id)
  ), 'cost');
  RETURN NULL;
END
$$;

-- As in 0170.
CREATE OR REPLACE FUNCTION keep_first_sku_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sku_costs (sku_id, product_cost, weight_oz, length_in, width_in, height_in, is_hazardous, packaging_cost,
    misc_cost, entered_at)
  SELECT id, product_cost, weight_oz, length_in, width_in, height_in, is_hazardous, packaging_cost, misc_cost, created_at
  FROM changed ORDER BY id;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION keep_sku_costs() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  INSERT INTO sku_costs (sku_id, effective_from, product_cost, weight_oz, length_in, width_in, height_in, is_hazardous,
    packaging_cost, misc_cost, entered_at)
  SELECT n.id, edit.at, n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.is_hazardous, n.packaging_cost,
    n.misc_cost, edit.at
  FROM changed n JOIN before o ON o.id = n.id
  CROSS JOIN LATERAL (SELECT CASE WHEN (n.updated_at, n.version) = (o.updated_at, o.version) THEN now() ELSE n.updated_at END AS at) edit
  WHERE (n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.is_hazardous, n.packaging_cost, n.misc_cost)
    IS DISTINCT FROM (o.product_cost, o.weight_oz, o.length_in, o.width_in, o.height_in, o.is_hazardous, o.packaging_cost,
      o.misc_cost)
  ORDER BY n.id;
  RETURN NULL;
END
$$;
