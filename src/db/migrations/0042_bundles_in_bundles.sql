-- A component that becomes a bundle itself, or is one no more, changes what is known of the bundles it is in.
CREATE OR REPLACE FUNCTION bundles_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l
    WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT listing_sku FROM changed
      UNION SELECT b.listing_sku FROM changed c JOIN skus s ON s.sku = c.listing_sku
        JOIN bundle_components b ON b.component_sku_id = s.id)
  ), 'cost');
  RETURN NULL;
END
$$;
-- Prices that were decided before this was known: each bundle with such a component is looked at again.
SELECT mark_due((
  SELECT array_agg(l.id) FROM listings l
  WHERE l.deleted_at IS NULL AND l.sku IN (
    SELECT b.listing_sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE EXISTS (SELECT FROM bundle_components i WHERE i.listing_sku = s.sku))
), 'cost');
