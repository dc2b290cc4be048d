-- Sizes, fee categories and the components of bundles get dates like costs, and costs of listings and shipping tiers can
-- begin on an earlier day. What applied until now has applied since ever.

ALTER TABLE sku_costs ADD COLUMN length_in real;
ALTER TABLE sku_costs ADD COLUMN width_in real;
ALTER TABLE sku_costs ADD COLUMN height_in real;
ALTER TABLE sku_costs ADD CONSTRAINT length_in_range CHECK (length_in between 0 and 10000);
ALTER TABLE sku_costs ADD CONSTRAINT width_in_range CHECK (width_in between 0 and 10000);
ALTER TABLE sku_costs ADD CONSTRAINT height_in_range CHECK (height_in between 0 and 10000);
UPDATE sku_costs c SET length_in = s.length_in, width_in = s.width_in, height_in = s.height_in
FROM skus s WHERE s.id = c.sku_id AND (s.length_in, s.width_in, s.height_in) IS DISTINCT FROM (NULL, NULL, NULL);

ALTER TABLE listing_costs ADD COLUMN fulfillment_is_estimate boolean DEFAULT false NOT NULL;
ALTER TABLE listing_costs ADD COLUMN fee_category text CONSTRAINT fee_category_filled CHECK (char_length(btrim(fee_category)) between 1 and 200);
ALTER TABLE listing_costs ADD COLUMN product_type text CONSTRAINT product_type_filled CHECK (char_length(btrim(product_type)) between 1 and 200);
ALTER TABLE listing_costs ADD COLUMN external_category text CONSTRAINT external_category_filled CHECK (char_length(btrim(external_category)) between 1 and 200);
ALTER TABLE listing_costs ADD COLUMN accepted_category text CONSTRAINT accepted_category_filled CHECK (char_length(btrim(accepted_category)) between 1 and 200);
UPDATE listing_costs c SET fulfillment_is_estimate = l.fulfillment_cost_is_estimate, fee_category = l.fee_category,
  product_type = l.product_type, external_category = l.external_category, accepted_category = l.accepted_category
FROM listings l WHERE l.id = c.listing_id;

-- What was in a bundle, once it has changed; a bundle without rows has had its present components since ever.
CREATE TABLE bundle_versions (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_sku text NOT NULL,
  effective_from timestamptz(3),
  component_sku_ids bigint[] NOT NULL,
  quantities integer[] NOT NULL,
  CONSTRAINT listing_sku_filled CHECK (char_length(btrim(listing_sku)) between 1 and 200),
  CONSTRAINT a_quantity_each CHECK (cardinality(component_sku_ids) = cardinality(quantities))
);
CREATE INDEX bundle_versions_listing_sku_idx ON bundle_versions (listing_sku, effective_from);
CREATE INDEX bundle_versions_component_sku_ids_idx ON bundle_versions USING gin (component_sku_ids);

-- As in 0075, with the size.
CREATE OR REPLACE FUNCTION keep_first_sku_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sku_costs (sku_id, product_cost, weight_oz, length_in, width_in, height_in, packaging_cost, misc_cost, entered_at)
  SELECT id, product_cost, weight_oz, length_in, width_in, height_in, packaging_cost, misc_cost, created_at FROM changed ORDER BY id;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION keep_sku_costs() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  INSERT INTO sku_costs (sku_id, effective_from, product_cost, weight_oz, length_in, width_in, height_in, packaging_cost,
    misc_cost, entered_at)
  SELECT n.id, edit.at, n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.packaging_cost, n.misc_cost, edit.at
  FROM changed n JOIN before o ON o.id = n.id
  CROSS JOIN LATERAL (SELECT CASE WHEN (n.updated_at, n.version) = (o.updated_at, o.version) THEN now() ELSE n.updated_at END AS at) edit
  WHERE (n.product_cost, n.weight_oz, n.length_in, n.width_in, n.height_in, n.packaging_cost, n.misc_cost)
    IS DISTINCT FROM (o.product_cost, o.weight_oz, o.length_in, o.width_in, o.height_in, o.packaging_cost, o.misc_cost)
  ORDER BY n.id;
  RETURN NULL;
END
$$;
DROP TRIGGER skus_sales_due_size ON skus;
DROP FUNCTION sales_of_sized_sku_are_due();

-- As in 0075, with what was in bundles before. The first size that is known applies since ever too.
CREATE OR REPLACE FUNCTION sales_with_sku_costs_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = on
AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(t.since))
  FROM (
    WITH costs AS (
      SELECT c.sku_id, s.sku, CASE WHEN EXISTS (SELECT FROM sku_costs k
          WHERE k.sku_id = c.sku_id AND k.id < c.id AND k.product_cost > 0)
        AND EXISTS (SELECT FROM sku_costs k WHERE k.sku_id = c.sku_id AND k.id < c.id AND k.weight_oz > 0)
        AND ((c.length_in > 0 AND c.width_in > 0 AND c.height_in > 0) IS NOT TRUE
          OR EXISTS (SELECT FROM sku_costs k WHERE k.sku_id = c.sku_id AND k.id < c.id
            AND k.length_in > 0 AND k.width_in > 0 AND k.height_in > 0))
        THEN c.effective_from END AS since
      FROM changed c JOIN skus s ON s.id = c.sku_id)
    SELECT sku, since FROM costs
    UNION ALL SELECT b.listing_sku, since FROM costs JOIN bundle_components b ON b.component_sku_id = costs.sku_id
    UNION ALL SELECT v.listing_sku, since FROM costs JOIN bundle_versions v ON v.component_sku_ids @> ARRAY[costs.sku_id]) t
  JOIN listings l ON l.sku = t.sku;
  RETURN NULL;
END
$$;

-- As in 0110, with what fees depend on. What was first known applies since ever, everything else from now.
CREATE OR REPLACE FUNCTION keep_listing_costs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := CASE WHEN (NEW.updated_at, NEW.version) = (OLD.updated_at, OLD.version) THEN now() ELSE NEW.updated_at END;
BEGIN
  INSERT INTO listing_costs (listing_id, fulfillment_type, shipping, fulfillment, fulfillment_is_estimate, fee_rate,
    fee_category, product_type, external_category, accepted_category, entered_at)
  SELECT OLD.id, OLD.fulfillment_type, OLD.shipping_cost, OLD.fulfillment_cost, OLD.fulfillment_cost_is_estimate, OLD.fee_rate,
    OLD.fee_category, OLD.product_type, OLD.external_category, OLD.accepted_category, OLD.created_at
  WHERE NOT EXISTS (SELECT FROM listing_costs WHERE listing_id = OLD.id);
  INSERT INTO listing_costs (listing_id, effective_from, fulfillment_type, shipping, fulfillment, fulfillment_is_estimate,
    fee_rate, fee_category, product_type, external_category, accepted_category, entered_at)
  VALUES (NEW.id, at, NEW.fulfillment_type, NEW.shipping_cost, NEW.fulfillment_cost, NEW.fulfillment_cost_is_estimate,
    NEW.fee_rate, NEW.fee_category, NEW.product_type, NEW.external_category, NEW.accepted_category, at);
  IF OLD.shipping_cost IS NULL AND NEW.shipping_cost IS NOT NULL
    OR OLD.fulfillment_cost IS NULL AND NEW.fulfillment_cost IS NOT NULL
    OR num_nonnulls(OLD.fee_category, OLD.product_type, OLD.external_category) = 0
      AND num_nonnulls(NEW.fee_category, NEW.product_type, NEW.external_category) > 0
  THEN
    PERFORM mark_sales_due(ARRAY[NEW.id], ARRAY[NULL::timestamptz]);
  END IF;
  RETURN NULL;
END
$$;
DROP TRIGGER listings_costs_update ON listings;
CREATE TRIGGER listings_costs_update AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.fulfillment_type, OLD.shipping_cost, OLD.fulfillment_cost, OLD.fulfillment_cost_is_estimate, OLD.fee_rate,
      OLD.fee_category, OLD.product_type, OLD.external_category, OLD.accepted_category)
    IS DISTINCT FROM (NEW.fulfillment_type, NEW.shipping_cost, NEW.fulfillment_cost, NEW.fulfillment_cost_is_estimate,
      NEW.fee_rate, NEW.fee_category, NEW.product_type, NEW.external_category, NEW.accepted_category))
  EXECUTE FUNCTION keep_listing_costs();

CREATE FUNCTION sales_with_listing_costs_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(listing_id), array_agg(effective_from)) FROM changed WHERE effective_from IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER listing_costs_sales_due AFTER INSERT ON listing_costs
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_with_listing_costs_are_due();

-- What still has no date applies to every sale.
DROP TRIGGER listings_sales_due_update ON listings;
CREATE TRIGGER listings_sales_due_update AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.marketplace, OLD.sku, OLD.bundle_unconfirmed) IS DISTINCT FROM (NEW.marketplace, NEW.sku, NEW.bundle_unconfirmed))
  EXECUTE FUNCTION sales_of_listing_are_due();

-- As in 0090, with the categories that listings had before.
CREATE OR REPLACE FUNCTION sales_of_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(c.effective_from))
  FROM changed c JOIN listings l ON l.marketplace = c.marketplace
    AND (lower(btrim(coalesce(l.fee_category, ''))) = lower(btrim(coalesce(c.category, '')))
      OR l.fee_category IS NULL AND (l.product_type IS NOT NULL OR l.external_category IS NOT NULL)
      OR EXISTS (SELECT FROM listing_costs k WHERE k.listing_id = l.id
        AND (lower(btrim(coalesce(k.fee_category, ''))) = lower(btrim(coalesce(c.category, '')))
          OR k.fee_category IS NULL AND (k.product_type IS NOT NULL OR k.external_category IS NOT NULL))));
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION sales_of_category_map_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(id), array_agg(NULL::timestamptz)) FROM listings l
  WHERE marketplace IN (SELECT marketplace FROM changed)
    AND (fee_category IS NULL AND (product_type IS NOT NULL OR external_category IS NOT NULL)
      OR EXISTS (SELECT FROM listing_costs k WHERE k.listing_id = l.id AND k.fee_category IS NULL
        AND (k.product_type IS NOT NULL OR k.external_category IS NOT NULL)));
  RETURN NULL;
END
$$;

-- A bundle that had other components before applies from its version on.
CREATE OR REPLACE FUNCTION sales_of_bundles_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(NULL::timestamptz))
  FROM listings l WHERE l.sku IN (SELECT listing_sku FROM changed)
    AND NOT EXISTS (SELECT FROM bundle_versions v WHERE v.listing_sku = l.sku);
  RETURN NULL;
END
$$;
CREATE FUNCTION sales_of_bundle_versions_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(c.effective_from))
  FROM changed c JOIN listings l ON l.sku = c.listing_sku WHERE c.effective_from IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER bundle_versions_sales_due AFTER INSERT ON bundle_versions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_bundle_versions_are_due();

-- As in 0075: another tier applies from the moment that its writer tells, without one from now.
CREATE OR REPLACE FUNCTION date_shipping_tier() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told timestamptz;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO past_shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost, effective_from, effective_until)
    VALUES (OLD.marketplace, OLD.fulfillment_type, OLD.min_weight_oz, OLD.max_weight_oz, OLD.cost, OLD.effective_from, now());
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  told := NEW.effective_from;
  IF TG_OP = 'UPDATE' AND NEW.effective_from IS NOT DISTINCT FROM OLD.effective_from THEN
    told := NULL;
  END IF;
  NEW.effective_from := (
    SELECT coalesce(told, now()) FROM past_shipping_tiers p
    WHERE p.marketplace = NEW.marketplace AND p.fulfillment_type = NEW.fulfillment_type
      AND p.min_weight_oz < NEW.max_weight_oz AND NEW.min_weight_oz < p.max_weight_oz LIMIT 1);
  RETURN NEW;
END
$$;
