-- Michaels is read with its key, and sent prices only with leave to do so: without it they are recommended.
ALTER TABLE integrations DROP CONSTRAINT delivery_known;
ALTER TABLE integrations ADD CONSTRAINT delivery_known CHECK (delivery in ('file', 'connected', 'read_only', 'paused'));

-- The same as deliveryOf() of the program; a test holds them together.
CREATE OR REPLACE FUNCTION settings_deliveries() RETURNS TABLE (marketplace text, delivery text) LANGUAGE sql STABLE AS $$
  SELECT m.marketplace, CASE
    WHEN NOT m.is_entered THEN 'file'
    WHEN NOT (m.is_enabled AND m.is_complete) THEN 'paused'
    -- The member is stored only while it is "yes".
    WHEN m.marketplace = 'michaels' AND NOT 'michaels.allowWrites' = ANY (further.names) THEN 'read_only'
    ELSE 'connected' END
  FROM app_settings s
  CROSS JOIN LATERAL (SELECT coalesce(array_agg(c.holder || '.' || c.name), '{}') AS names FROM connector_credentials c) AS further
  CROSS JOIN LATERAL (VALUES
    ('walmart', s.walmart_enabled,
      s.walmart_client_secret IS NOT NULL,
      s.walmart_client_id IS NOT NULL AND s.walmart_client_secret IS NOT NULL),
    ('amazon', s.amazon_enabled,
      s.amazon_lwa_client_secret IS NOT NULL OR names && ARRAY['amazon.refreshToken', 'amazon.awsSecretAccessKey'],
      s.amazon_seller_id IS NOT NULL AND s.amazon_lwa_client_id IS NOT NULL AND s.amazon_lwa_client_secret IS NOT NULL
        AND 'amazon.refreshToken' = ANY (names)),
    ('michaels', s.michaels_enabled, s.michaels_api_key IS NOT NULL, s.michaels_api_key IS NOT NULL),
    ('ebay', s.ebay_enabled,
      s.ebay_cert_id IS NOT NULL OR 'ebay.refreshToken' = ANY (names),
      s.ebay_app_id IS NOT NULL AND s.ebay_cert_id IS NOT NULL AND 'ebay.refreshToken' = ANY (names)),
    ('etsy', s.etsy_enabled,
      s.etsy_keystring IS NOT NULL OR names && ARRAY['etsy.sharedSecret', 'etsy.refreshToken'],
      s.etsy_keystring IS NOT NULL AND names @> ARRAY['etsy.sharedSecret', 'etsy.refreshToken']),
    ('shopify', s.shopify_enabled,
      s.shopify_api_key IS NOT NULL OR 'shopify.clientSecret' = ANY (names),
      s.shopify_store_url IS NOT NULL
        AND (s.shopify_api_key IS NOT NULL OR names @> ARRAY['shopify.clientId', 'shopify.clientSecret']))
  ) AS m (marketplace, is_enabled, is_entered, is_complete)
$$;

WITH changed AS (
  UPDATE integrations i SET delivery = d.delivery FROM settings_deliveries() d
  WHERE i.marketplace = d.marketplace AND i.delivery <> d.delivery RETURNING i.marketplace
)
SELECT mark_due(
  (SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.marketplace IN (SELECT marketplace FROM changed)),
  'marketplace');

-- A price that a marketplace refused is not asked again before something changed that may change its mind.
ALTER TABLE price_intents ADD COLUMN refusal_stands boolean DEFAULT false NOT NULL;
ALTER TABLE price_intents ADD CONSTRAINT refused_is_rejected CHECK (state = 'rejected' or not refusal_stands);
CREATE INDEX price_intents_refused_idx ON price_intents (listing_id) WHERE refusal_stands;

CREATE FUNCTION lift_refusals(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lifted bigint[];
BEGIN
  WITH gone AS (
    UPDATE price_intents SET refusal_stands = false WHERE refusal_stands AND listing_id = ANY (ids) RETURNING listing_id
  )
  SELECT array_agg(listing_id) INTO lifted FROM gone;
  PERFORM mark_due(lifted, 'refusal');
END
$$;

CREATE FUNCTION new_catalogue_data_lifts_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lift_refusals(ARRAY[NEW.id]);
  RETURN NULL;
END
$$;
-- By row and by column: most statements on listings name none of these, and cost nothing then.
CREATE TRIGGER listings_lift_refusals
  AFTER UPDATE OF sku, title, marketplace_item_id, fulfillment_type, shipping_charge, deleted_at ON listings
  FOR EACH ROW WHEN (
    (OLD.sku, OLD.title, OLD.marketplace_item_id, OLD.fulfillment_type, OLD.shipping_charge, OLD.deleted_at)
    IS DISTINCT FROM
    (NEW.sku, NEW.title, NEW.marketplace_item_id, NEW.fulfillment_type, NEW.shipping_charge, NEW.deleted_at)
  ) EXECUTE FUNCTION new_catalogue_data_lifts_refusals();

CREATE FUNCTION new_marketplace_data_lifts_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lift_refusals(ARRAY[NEW.listing_id]);
  RETURN NULL;
END
$$;
CREATE TRIGGER marketplace_listings_lift_refusals
  AFTER UPDATE OF keys, is_active, not_repriced ON marketplace_listings
  FOR EACH ROW WHEN (
    (OLD.keys, OLD.is_active, OLD.not_repriced) IS DISTINCT FROM (NEW.keys, NEW.is_active, NEW.not_repriced)
  ) EXECUTE FUNCTION new_marketplace_data_lifts_refusals();

-- Other credentials may be another account, or one that is let do more.
CREATE FUNCTION new_credentials_lift_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lift_refusals((
    SELECT array_agg(listing_id) FROM price_intents WHERE refusal_stands AND marketplace = NEW.marketplace
  ));
  RETURN NULL;
END
$$;
CREATE TRIGGER integrations_lift_refusals AFTER UPDATE OF revision, delivery ON integrations
  FOR EACH ROW WHEN ((OLD.revision, OLD.delivery) IS DISTINCT FROM (NEW.revision, NEW.delivery))
  EXECUTE FUNCTION new_credentials_lift_refusals();
