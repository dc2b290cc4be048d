-- Whatever alters the inputs of a decision marks the listings it touches as due, whoever writes it: a screen, an import,
-- a marketplace, a person with psql. The engine reads due_listings and needs no other memory of what changed.

CREATE FUNCTION mark_due(ids bigint[], why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ids IS NULL THEN
    RETURN;
  END IF;
  -- In one order for everybody, so that two writers wait for each other instead of deadlocking.
  INSERT INTO due_listings (listing_id, cause)
  SELECT id, why FROM (SELECT DISTINCT unnest(ids) AS id ORDER BY 1) touched
  ON CONFLICT (listing_id) DO UPDATE SET mark = excluded.mark;
  PERFORM pg_notify('pricewright_due', '');
END
$$;

CREATE FUNCTION listings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(id) FROM changed WHERE deleted_at IS NULL), 'listing');
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_due_insert AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION listings_are_due();

-- Only what a decision reads; what a decision writes would make every run cause the next one.
CREATE FUNCTION edited_listings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(n.id) FROM changed n JOIN before o ON o.id = n.id
    WHERE n.deleted_at IS NULL AND (
      n.marketplace, n.sku, n.fulfillment_type, n.auto_repricing_enabled, n.rule_id, n.shipping_cost, n.shipping_charge,
      n.fulfillment_cost, n.fee_category, n.min_price, n.max_price, n.held_until, n.held_by, n.bundle_unconfirmed,
      n.anchor_price, n.deleted_at
    ) IS DISTINCT FROM (
      o.marketplace, o.sku, o.fulfillment_type, o.auto_repricing_enabled, o.rule_id, o.shipping_cost, o.shipping_charge,
      o.fulfillment_cost, o.fee_category, o.min_price, o.max_price, o.held_until, o.held_by, o.bundle_unconfirmed,
      o.anchor_price, o.deleted_at
    ) OR (n.deleted_at IS NULL AND n.awaiting_upload_since IS NULL AND o.awaiting_upload_since IS NOT NULL)
  ), 'listing');
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_due_update AFTER UPDATE ON listings
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION edited_listings_are_due();

-- Apply and Undo leave the anchor alone, but margins and recommendations have to follow.
CREATE FUNCTION moved_prices_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(listing_id) FROM changed WHERE source IN ('apply', 'undo')), 'price');
  RETURN NULL;
END
$$;
CREATE TRIGGER price_history_due AFTER INSERT ON price_history
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION moved_prices_are_due();

CREATE FUNCTION sku_costs_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT sku FROM changed
      UNION SELECT b.listing_sku FROM bundle_components b JOIN changed c ON c.id = b.component_sku_id)
  ), 'cost');
  RETURN NULL;
END
$$;
CREATE TRIGGER skus_due_insert AFTER INSERT ON skus
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sku_costs_are_due();
CREATE TRIGGER skus_due_delete AFTER DELETE ON skus
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sku_costs_are_due();

CREATE FUNCTION edited_skus_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH moved AS (
      SELECT n.id, n.sku, o.sku AS old_sku FROM changed n JOIN before o ON o.id = n.id
      WHERE (n.sku, n.product_cost, n.weight_oz, n.packaging_cost, n.misc_cost)
        IS DISTINCT FROM (o.sku, o.product_cost, o.weight_oz, o.packaging_cost, o.misc_cost))
    SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.sku IN (
      SELECT sku FROM moved UNION SELECT old_sku FROM moved
      UNION SELECT b.listing_sku FROM bundle_components b JOIN moved m ON m.id = b.component_sku_id)
  ), 'cost');
  RETURN NULL;
END
$$;
CREATE TRIGGER skus_due_update AFTER UPDATE ON skus
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION edited_skus_are_due();

CREATE FUNCTION bundles_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l
    WHERE l.deleted_at IS NULL AND l.sku IN (SELECT listing_sku FROM changed)
  ), 'cost');
  RETURN NULL;
END
$$;
CREATE TRIGGER bundle_components_due_insert AFTER INSERT ON bundle_components
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bundles_are_due();
CREATE TRIGGER bundle_components_due_update AFTER UPDATE ON bundle_components
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bundles_are_due();
CREATE TRIGGER bundle_components_due_delete AFTER DELETE ON bundle_components
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bundles_are_due();

CREATE FUNCTION offers_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A rule may look at the same SKU on other channels.
  PERFORM mark_due((
    SELECT array_agg(DISTINCT other.id) FROM (SELECT DISTINCT listing_id FROM changed) c
    JOIN listings l ON l.id = c.listing_id JOIN listings other ON other.sku = l.sku AND other.deleted_at IS NULL
    WHERE other.id = l.id OR EXISTS (SELECT FROM repricing_rules r WHERE r.other_channels AND r.deleted_at IS NULL)
  ), 'offers');
  RETURN NULL;
END
$$;
CREATE TRIGGER competitor_offers_due_insert AFTER INSERT ON competitor_offers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION offers_are_due();
CREATE TRIGGER competitor_offers_due_delete AFTER DELETE ON competitor_offers
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION offers_are_due();

-- What follows concerns whole marketplaces.
CREATE FUNCTION marketplaces_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A null marketplace means all of them.
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l
    WHERE l.deleted_at IS NULL AND EXISTS (SELECT FROM changed c WHERE coalesce(c.marketplace, l.marketplace) = l.marketplace)
  ), TG_ARGV[0]);
  RETURN NULL;
END
$$;
CREATE TRIGGER shipping_tiers_due_insert AFTER INSERT ON shipping_tiers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('cost');
CREATE TRIGGER shipping_tiers_due_update AFTER UPDATE ON shipping_tiers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('cost');
CREATE TRIGGER shipping_tiers_due_delete AFTER DELETE ON shipping_tiers
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('cost');
CREATE TRIGGER fee_schedules_due_insert AFTER INSERT ON fee_schedules
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');
CREATE TRIGGER fee_schedules_due_update AFTER UPDATE ON fee_schedules
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');
CREATE TRIGGER fee_schedules_due_delete AFTER DELETE ON fee_schedules
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');
CREATE TRIGGER own_sellers_due_insert AFTER INSERT ON own_sellers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('own sellers');
CREATE TRIGGER own_sellers_due_delete AFTER DELETE ON own_sellers
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('own sellers');
CREATE TRIGGER engine_states_due AFTER UPDATE ON engine_states
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('engine');
CREATE TRIGGER repricing_rules_due_insert AFTER INSERT ON repricing_rules
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('rule');

-- A rule that moves from one marketplace to another concerns both, and the listings that name it wherever they are.
CREATE FUNCTION edited_rules_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l
    WHERE l.deleted_at IS NULL AND EXISTS (
      SELECT FROM (SELECT id, marketplace FROM changed UNION SELECT id, marketplace FROM before) c
      WHERE l.rule_id = c.id OR coalesce(c.marketplace, l.marketplace) = l.marketplace)
  ), 'rule');
  RETURN NULL;
END
$$;
CREATE TRIGGER repricing_rules_due_update AFTER UPDATE ON repricing_rules
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION edited_rules_are_due();

CREATE FUNCTION everything_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(id) FROM listings WHERE deleted_at IS NULL), TG_ARGV[0]);
  RETURN NULL;
END
$$;
-- Row level, for its condition: a save that touches no limit, and a halt, change no decision's inputs at once.
CREATE TRIGGER app_settings_due AFTER UPDATE ON app_settings FOR EACH ROW
  WHEN ((OLD.auto_repricing, OLD.max_offer_age_minutes, OLD.max_step, OLD.max_drift, OLD.min_step, OLD.cooldown_minutes,
      OLD.war_limit, OLD.war_hold_minutes, OLD.amazon_seller_id)
    IS DISTINCT FROM (NEW.auto_repricing, NEW.max_offer_age_minutes, NEW.max_step, NEW.max_drift, NEW.min_step,
      NEW.cooldown_minutes, NEW.war_limit, NEW.war_hold_minutes, NEW.amazon_seller_id))
  EXECUTE FUNCTION everything_is_due('settings');
CREATE TRIGGER engine_switch_due AFTER UPDATE ON engine_switch FOR EACH ROW
  WHEN (OLD.halted AND NOT NEW.halted) EXECUTE FUNCTION everything_is_due('engine');
