-- A user's own commission of a listing, and what is counted for advertising and returns as a share of the revenue.

ALTER TABLE listings
  ADD COLUMN fee_rate numeric(5, 2) CONSTRAINT fee_rate_range CHECK (fee_rate between 0 and 99.99),
  ADD COLUMN fee_rate_by text CONSTRAINT fee_rate_by_filled CHECK (char_length(btrim(fee_rate_by)) between 1 and 200),
  ADD COLUMN ad_share numeric(5, 2) CONSTRAINT ad_share_range CHECK (ad_share between 0 and 99.99),
  ADD COLUMN return_share numeric(5, 2) CONSTRAINT return_share_range CHECK (return_share between 0 and 99.99),
  ADD CONSTRAINT fee_rate_by_has_rate CHECK (fee_rate_by is null or fee_rate is not null);
ALTER TABLE fee_terms
  ADD COLUMN ad_share numeric(5, 2) CONSTRAINT ad_share_range CHECK (ad_share between 0 and 99.99),
  ADD COLUMN return_share numeric(5, 2) CONSTRAINT return_share_range CHECK (return_share between 0 and 99.99);
-- Shares have no dates: a sale has the advertising and returns that were booked for it.
ALTER TABLE listing_costs ADD COLUMN fee_rate numeric(5, 2) CONSTRAINT fee_rate_range CHECK (fee_rate between 0 and 99.99);

-- As in 0090, with the rates. Replacing a function drops its settings: they are those of 0014.
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
      n.fee_rate, n.ad_share, n.return_share
    ) IS DISTINCT FROM (
      o.marketplace, o.sku, o.fulfillment_type, o.auto_repricing_enabled, o.rule_id, o.shipping_cost, o.shipping_charge,
      o.fulfillment_cost, o.fee_category, o.product_type, o.external_category, o.accepted_category, o.min_price,
      o.max_price, o.held_until, o.held_by, o.bundle_unconfirmed, o.anchor_price, o.deleted_at, o.missing_since,
      o.fee_rate, o.ad_share, o.return_share
    ) OR (n.deleted_at IS NULL AND n.awaiting_upload_since IS NULL AND o.awaiting_upload_since IS NOT NULL)
  ), 'listing');
  RETURN NULL;
END
$$;

-- As in 0075, with the commission: another one applies from now.
CREATE OR REPLACE FUNCTION keep_listing_costs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := CASE WHEN (NEW.updated_at, NEW.version) = (OLD.updated_at, OLD.version) THEN now() ELSE NEW.updated_at END;
BEGIN
  INSERT INTO listing_costs (listing_id, fulfillment_type, shipping, fulfillment, fee_rate, entered_at)
  SELECT OLD.id, OLD.fulfillment_type, OLD.shipping_cost, OLD.fulfillment_cost, OLD.fee_rate, OLD.created_at
  WHERE NOT EXISTS (SELECT FROM listing_costs WHERE listing_id = OLD.id);
  INSERT INTO listing_costs (listing_id, effective_from, fulfillment_type, shipping, fulfillment, fee_rate, entered_at)
  VALUES (NEW.id, at, NEW.fulfillment_type, NEW.shipping_cost, NEW.fulfillment_cost, NEW.fee_rate, at);
  -- The first cost that is known applies since ever.
  PERFORM mark_sales_due(ARRAY[NEW.id],
    ARRAY[CASE WHEN OLD.shipping_cost IS NOT NULL AND OLD.fulfillment_cost IS NOT NULL THEN at END]);
  RETURN NULL;
END
$$;
DROP TRIGGER listings_costs_update ON listings;
CREATE TRIGGER listings_costs_update AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.fulfillment_type, OLD.shipping_cost, OLD.fulfillment_cost, OLD.fee_rate)
    IS DISTINCT FROM (NEW.fulfillment_type, NEW.shipping_cost, NEW.fulfillment_cost, NEW.fee_rate))
  EXECUTE FUNCTION keep_listing_costs();
