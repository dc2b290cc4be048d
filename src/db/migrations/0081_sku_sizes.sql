-- The size of one packed unit in inches: what the fulfillment fee of a warehouse depends on besides the weight.
ALTER TABLE skus ADD COLUMN length_in real;
ALTER TABLE skus ADD COLUMN width_in real;
ALTER TABLE skus ADD COLUMN height_in real;
ALTER TABLE skus ADD CONSTRAINT length_in_range CHECK (length_in between 0 and 10000);
ALTER TABLE skus ADD CONSTRAINT width_in_range CHECK (width_in between 0 and 10000);
ALTER TABLE skus ADD CONSTRAINT height_in_range CHECK (height_in between 0 and 10000);

-- A size decides the fee of listings with this SKU's code, and of the bundle that is packed in its box.
CREATE OR REPLACE FUNCTION edited_skus_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH moved AS (
      SELECT n.id, n.sku, o.sku AS old_sku FROM changed n JOIN before o ON o.id = n.id
      WHERE (n.sku, n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.packaging_cost, n.misc_cost,
          n.deleted_at IS NULL)
        IS DISTINCT FROM (o.sku, o.product_cost, o.weight_oz, o.length_in, o.width_in, o.height_in, o.packaging_cost,
          o.misc_cost, o.deleted_at IS NULL))
    SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT sku FROM moved UNION SELECT old_sku FROM moved
      UNION SELECT b.listing_sku FROM bundle_components b JOIN moved m ON m.id = b.component_sku_id)
  ), 'cost');
  RETURN NULL;
END
$$;

-- FBA and WFS listings without a fee are estimated now.
SELECT mark_due((SELECT array_agg(id) FROM listings
  WHERE fulfillment_type = 'FBA/WFS' AND fulfillment_cost IS NULL AND deleted_at IS NULL), 'migration');

-- An estimated fee changes no price before an administrator accepts the estimates.
ALTER TABLE app_settings ADD COLUMN fee_estimates_accepted boolean NOT NULL DEFAULT false;
CREATE TRIGGER app_settings_estimates_due AFTER UPDATE ON app_settings FOR EACH ROW
  WHEN (OLD.fee_estimates_accepted IS DISTINCT FROM NEW.fee_estimates_accepted)
  EXECUTE FUNCTION everything_is_due('settings');

-- Sizes have no date: a new one applies to every sale whose fulfillment fee was estimated.
CREATE FUNCTION sales_of_sized_sku_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(id), array_agg(NULL::timestamptz)) FROM listings
  WHERE sku = NEW.sku AND fulfillment_type = 'FBA/WFS';
  RETURN NULL;
END
$$;
CREATE TRIGGER skus_sales_due_size AFTER UPDATE ON skus FOR EACH ROW
  WHEN ((OLD.length_in, OLD.width_in, OLD.height_in) IS DISTINCT FROM (NEW.length_in, NEW.width_in, NEW.height_in))
  EXECUTE FUNCTION sales_of_sized_sku_are_due();
SELECT mark_sales_due(array_agg(id), array_agg(NULL::timestamptz)) FROM listings
WHERE fulfillment_type = 'FBA/WFS' AND fulfillment_cost IS NULL;
