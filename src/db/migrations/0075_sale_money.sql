-- What a sale earned: estimated when it is recorded, and again whenever what it was calculated from changes.

ALTER TABLE sales_history ADD COLUMN order_ref text;
ALTER TABLE sales_history ADD COLUMN line_number integer;
ALTER TABLE sales_history ADD COLUMN shipping_revenue numeric(10, 2);
ALTER TABLE sales_history ADD COLUMN shipping_revenue_is_estimate boolean DEFAULT false NOT NULL;
ALTER TABLE sales_history ADD COLUMN fees_told numeric(10, 2);
ALTER TABLE sales_history ADD COLUMN fees_estimated numeric(10, 2);
ALTER TABLE sales_history ADD COLUMN money_state text DEFAULT 'estimated' NOT NULL;
ALTER TABLE sales_history ADD COLUMN is_about boolean DEFAULT true NOT NULL;
ALTER TABLE sales_history ADD COLUMN computed_at timestamptz(3);
ALTER TABLE sales_history ADD CONSTRAINT order_ref_filled CHECK (char_length(btrim(order_ref)) between 1 and 500);
ALTER TABLE sales_history ADD CONSTRAINT line_number_range CHECK (line_number between 1 and 2147483647);
ALTER TABLE sales_history ADD CONSTRAINT shipping_revenue_range CHECK (shipping_revenue between 0 and 99999999.99);
ALTER TABLE sales_history ADD CONSTRAINT fees_told_range CHECK (fees_told between 0 and 99999999.99);
ALTER TABLE sales_history ADD CONSTRAINT fees_estimated_range CHECK (fees_estimated between 0 and 99999999.99);
ALTER TABLE sales_history ADD CONSTRAINT money_state_known CHECK (money_state in ('estimated', 'partly_told', 'told'));
CREATE INDEX sales_history_order_ref_idx ON sales_history (order_ref) WHERE order_ref is not null;

-- Fees that were stored so far were told by the marketplace, except those of the sample shop.
UPDATE sales_history SET fees_told = marketplace_fees
WHERE marketplace_fees IS NOT NULL AND external_id NOT LIKE 'demo-%';

-- Every cost that a SKU, a listing and a shipping tier ever had, and from when it applied; null is since ever.
CREATE TABLE sku_costs (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  sku_id bigint NOT NULL,
  effective_from timestamptz(3),
  product_cost numeric(10, 2),
  weight_oz real,
  packaging_cost numeric(10, 2) NOT NULL,
  misc_cost numeric(10, 2) NOT NULL,
  entered_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT product_cost_range CHECK (product_cost between 0 and 99999999.99),
  CONSTRAINT weight_oz_range CHECK (weight_oz between 0 and 1000000),
  CONSTRAINT packaging_cost_range CHECK (packaging_cost between 0 and 99999999.99),
  CONSTRAINT misc_cost_range CHECK (misc_cost between 0 and 99999999.99),
  CONSTRAINT sku_costs_sku_id_skus_id_fk FOREIGN KEY (sku_id) REFERENCES skus(id) ON DELETE CASCADE
);
CREATE INDEX sku_costs_sku_id_idx ON sku_costs (sku_id, effective_from);

CREATE TABLE listing_costs (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  effective_from timestamptz(3),
  fulfillment_type text NOT NULL,
  shipping numeric(10, 2),
  fulfillment numeric(10, 2),
  entered_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT shipping_range CHECK (shipping between 0 and 99999999.99),
  CONSTRAINT fulfillment_range CHECK (fulfillment between 0 and 99999999.99),
  CONSTRAINT listing_costs_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX listing_costs_listing_id_idx ON listing_costs (listing_id, effective_from);

ALTER TABLE shipping_tiers ADD COLUMN effective_from timestamptz(3);
CREATE TABLE past_shipping_tiers (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  fulfillment_type text NOT NULL,
  min_weight_oz real NOT NULL,
  max_weight_oz real NOT NULL,
  cost numeric(10, 2) NOT NULL,
  effective_from timestamptz(3),
  effective_until timestamptz(3) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT min_weight_oz_range CHECK (min_weight_oz between 0 and 1000000),
  CONSTRAINT max_weight_oz_range CHECK (max_weight_oz between 0 and 1000000),
  CONSTRAINT min_below_max CHECK (min_weight_oz < max_weight_oz),
  CONSTRAINT cost_range CHECK (cost between 0 and 99999999.99)
);
CREATE INDEX past_shipping_tiers_idx ON past_shipping_tiers (marketplace, fulfillment_type);

-- Listings whose sales are to be calculated again, from a moment on; after_id continues within that moment.
CREATE TABLE sales_due (
  listing_id bigint PRIMARY KEY,
  since timestamptz(3) NOT NULL,
  after_id bigint DEFAULT 0 NOT NULL,
  CONSTRAINT sales_due_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX sales_due_since_idx ON sales_due (since DESC NULLS LAST, listing_id DESC NULLS LAST);

-- In one order for all writers, so that two of them wait for each other instead of deadlocking. Null is since ever.
CREATE FUNCTION mark_sales_due(ids bigint[], moments timestamptz[]) RETURNS void LANGUAGE plpgsql
  SET enable_nestloop = on
AS $$
BEGIN
  IF ids IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO sales_due (listing_id, since)
  SELECT m.id, min(coalesce(m.since, timestamptz '1970-01-01 00:00:00Z')) FROM unnest(ids, moments) AS m (id, since)
  WHERE EXISTS (SELECT FROM sales_history h WHERE h.listing_id = m.id
    AND h.sale_date >= coalesce(m.since, timestamptz '1970-01-01 00:00:00Z'))
  GROUP BY m.id ORDER BY m.id
  ON CONFLICT (listing_id) DO UPDATE SET
    after_id = CASE WHEN excluded.since <= sales_due.since THEN 0 ELSE sales_due.after_id END,
    since = least(sales_due.since, excluded.since);
END
$$;

CREATE FUNCTION recorded_sales_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(listing_id), array_agg(sale_date)) FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_due_insert AFTER INSERT ON sales_history
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recorded_sales_are_due();

-- Only what a marketplace or file told: writing the calculated figures marks nothing.
CREATE FUNCTION corrected_sales_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(n.listing_id), array_agg(least(n.sale_date, o.sale_date)))
  FROM changed n JOIN before o ON o.id = n.id
  WHERE (n.listing_id, n.sale_date, n.quantity_sold, n.unit_price, n.total_revenue, n.fees_told, n.order_ref, n.line_number)
      IS DISTINCT FROM
      (o.listing_id, o.sale_date, o.quantity_sold, o.unit_price, o.total_revenue, o.fees_told, o.order_ref, o.line_number)
    OR NOT n.shipping_revenue_is_estimate AND (n.shipping_revenue, n.shipping_revenue_is_estimate)
      IS DISTINCT FROM (o.shipping_revenue, o.shipping_revenue_is_estimate);
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_due_update AFTER UPDATE ON sales_history
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION corrected_sales_are_due();

-- A canceled line leaves its part of the order's fee to the others.
CREATE FUNCTION orders_of_canceled_sales_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(h.listing_id), array_agg(h.sale_date))
  FROM sales_history h JOIN changed c ON c.order_ref = h.order_ref;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_due_delete AFTER DELETE ON sales_history
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION orders_of_canceled_sales_are_due();

-- The first row of a SKU applies since ever.
CREATE FUNCTION keep_first_sku_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sku_costs (sku_id, product_cost, weight_oz, packaging_cost, misc_cost, entered_at)
  SELECT id, product_cost, weight_oz, packaging_cost, misc_cost, created_at FROM changed ORDER BY id;
  RETURN NULL;
END
$$;
CREATE TRIGGER skus_costs_insert AFTER INSERT ON skus
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_first_sku_costs();

-- A change applies from the moment that its writer tells; without one from now.
CREATE FUNCTION keep_sku_costs() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  INSERT INTO sku_costs (sku_id, effective_from, product_cost, weight_oz, packaging_cost, misc_cost, entered_at)
  SELECT n.id, edit.at, n.product_cost, n.weight_oz, n.packaging_cost, n.misc_cost, edit.at
  FROM changed n JOIN before o ON o.id = n.id
  CROSS JOIN LATERAL (SELECT CASE WHEN (n.updated_at, n.version) = (o.updated_at, o.version) THEN now() ELSE n.updated_at END AS at) edit
  WHERE (n.product_cost, n.weight_oz, n.packaging_cost, n.misc_cost)
    IS DISTINCT FROM (o.product_cost, o.weight_oz, o.packaging_cost, o.misc_cost)
  ORDER BY n.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER skus_costs_update AFTER UPDATE ON skus
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_sku_costs();

-- A renamed SKU belongs to other listings.
CREATE FUNCTION sales_of_renamed_sku_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(id), array_agg(NULL::timestamptz)) FROM listings WHERE sku IN (NEW.sku, OLD.sku);
  RETURN NULL;
END
$$;
CREATE TRIGGER skus_sales_due_rename AFTER UPDATE ON skus FOR EACH ROW
  WHEN (OLD.sku <> NEW.sku) EXECUTE FUNCTION sales_of_renamed_sku_are_due();

-- The first cost that is known applies since ever, and so does the first weight.
CREATE FUNCTION sales_with_sku_costs_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = on
AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(t.since))
  FROM (
    WITH costs AS (
      SELECT c.sku_id, s.sku, CASE WHEN EXISTS (SELECT FROM sku_costs k
          WHERE k.sku_id = c.sku_id AND k.id < c.id AND k.product_cost > 0)
        AND EXISTS (SELECT FROM sku_costs k WHERE k.sku_id = c.sku_id AND k.id < c.id AND k.weight_oz > 0)
        THEN c.effective_from END AS since
      FROM changed c JOIN skus s ON s.id = c.sku_id)
    SELECT sku, since FROM costs
    UNION ALL SELECT b.listing_sku, since FROM costs JOIN bundle_components b ON b.component_sku_id = costs.sku_id) t
  JOIN listings l ON l.sku = t.sku;
  RETURN NULL;
END
$$;
CREATE TRIGGER sku_costs_sales_due AFTER INSERT ON sku_costs
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_with_sku_costs_are_due();

CREATE FUNCTION sales_of_bundles_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(NULL::timestamptz))
  FROM listings l WHERE l.sku IN (SELECT listing_sku FROM changed);
  RETURN NULL;
END
$$;
CREATE TRIGGER bundle_components_sales_due_insert AFTER INSERT ON bundle_components
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_bundles_are_due();
CREATE TRIGGER bundle_components_sales_due_update AFTER UPDATE ON bundle_components
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_bundles_are_due();
CREATE TRIGGER bundle_components_sales_due_delete AFTER DELETE ON bundle_components
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_bundles_are_due();

-- A listing without rows has had its present costs since ever; the first change keeps those before it. By row, for its
-- condition: decisions write listings all the time.
CREATE FUNCTION keep_listing_costs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := CASE WHEN (NEW.updated_at, NEW.version) = (OLD.updated_at, OLD.version) THEN now() ELSE NEW.updated_at END;
BEGIN
  INSERT INTO listing_costs (listing_id, fulfillment_type, shipping, fulfillment, entered_at)
  SELECT OLD.id, OLD.fulfillment_type, OLD.shipping_cost, OLD.fulfillment_cost, OLD.created_at
  WHERE NOT EXISTS (SELECT FROM listing_costs WHERE listing_id = OLD.id);
  INSERT INTO listing_costs (listing_id, effective_from, fulfillment_type, shipping, fulfillment, entered_at)
  VALUES (NEW.id, at, NEW.fulfillment_type, NEW.shipping_cost, NEW.fulfillment_cost, at);
  -- The first cost that is known applies since ever.
  PERFORM mark_sales_due(ARRAY[NEW.id],
    ARRAY[CASE WHEN OLD.shipping_cost IS NOT NULL AND OLD.fulfillment_cost IS NOT NULL THEN at END]);
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_costs_update AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.fulfillment_type, OLD.shipping_cost, OLD.fulfillment_cost)
    IS DISTINCT FROM (NEW.fulfillment_type, NEW.shipping_cost, NEW.fulfillment_cost))
  EXECUTE FUNCTION keep_listing_costs();

-- What has no date applies to every sale.
CREATE FUNCTION sales_of_listing_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(ARRAY[NEW.id], ARRAY[NULL::timestamptz]);
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_sales_due_update AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.marketplace, OLD.sku, OLD.fee_category, OLD.bundle_unconfirmed)
    IS DISTINCT FROM (NEW.marketplace, NEW.sku, NEW.fee_category, NEW.bundle_unconfirmed))
  EXECUTE FUNCTION sales_of_listing_are_due();

-- The first tier for a weight applies since ever; one that follows another applies from now.
CREATE FUNCTION date_shipping_tier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO past_shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost, effective_from, effective_until)
    VALUES (OLD.marketplace, OLD.fulfillment_type, OLD.min_weight_oz, OLD.max_weight_oz, OLD.cost, OLD.effective_from, now());
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  NEW.effective_from := (
    SELECT now() FROM past_shipping_tiers p
    WHERE p.marketplace = NEW.marketplace AND p.fulfillment_type = NEW.fulfillment_type
      AND p.min_weight_oz < NEW.max_weight_oz AND NEW.min_weight_oz < p.max_weight_oz LIMIT 1);
  RETURN NEW;
END
$$;
CREATE TRIGGER shipping_tiers_date_insert BEFORE INSERT ON shipping_tiers
  FOR EACH ROW EXECUTE FUNCTION date_shipping_tier();
CREATE TRIGGER shipping_tiers_date_update BEFORE UPDATE ON shipping_tiers
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION date_shipping_tier();
CREATE TRIGGER shipping_tiers_date_delete BEFORE DELETE ON shipping_tiers
  FOR EACH ROW EXECUTE FUNCTION date_shipping_tier();

CREATE FUNCTION sales_of_tiers_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(c.since)) FROM listings l
  JOIN (SELECT marketplace, min(coalesce(effective_from, timestamptz '1970-01-01 00:00:00Z')) AS since
    FROM changed GROUP BY marketplace) c ON c.marketplace = l.marketplace;
  RETURN NULL;
END
$$;
CREATE TRIGGER shipping_tiers_sales_due_insert AFTER INSERT ON shipping_tiers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_tiers_are_due();
CREATE TRIGGER shipping_tiers_sales_due_update AFTER UPDATE ON shipping_tiers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_tiers_are_due();

CREATE FUNCTION sales_of_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(c.effective_from))
  FROM changed c JOIN listings l ON l.marketplace = c.marketplace
    AND lower(btrim(coalesce(l.fee_category, ''))) = lower(btrim(coalesce(c.category, '')));
  RETURN NULL;
END
$$;
CREATE TRIGGER fee_schedules_sales_due_insert AFTER INSERT ON fee_schedules
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_fees_are_due();
CREATE TRIGGER fee_schedules_sales_due_update AFTER UPDATE ON fee_schedules
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_fees_are_due();
CREATE TRIGGER fee_schedules_sales_due_delete AFTER DELETE ON fee_schedules
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sales_of_fees_are_due();

INSERT INTO sku_costs (sku_id, product_cost, weight_oz, packaging_cost, misc_cost, entered_at)
SELECT id, product_cost, weight_oz, packaging_cost, misc_cost, created_at FROM skus ORDER BY id;
-- Stored sales are calculated once, in the background. The rows above have marked those of listings with a SKU.
SELECT mark_sales_due(array_agg(listing_id), array_agg(since))
FROM (SELECT listing_id, min(sale_date) AS since FROM sales_history GROUP BY listing_id) sold;
