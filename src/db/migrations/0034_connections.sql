-- How each marketplace is reached: by file, connected, or paused; who fetches tokens for it; and what its last test said.
-- It takes the place of the function that knew of one secret each.

CREATE TABLE integrations (
  marketplace text PRIMARY KEY NOT NULL,
  delivery text DEFAULT 'file' NOT NULL,
  revision integer DEFAULT 0 NOT NULL,
  epoch integer DEFAULT 0 NOT NULL,
  fence integer DEFAULT 0 NOT NULL,
  lease_owner text,
  lease_until timestamptz(3),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT delivery_known CHECK (delivery in ('file', 'connected', 'paused')),
  CONSTRAINT lease_whole CHECK ((lease_owner is null) = (lease_until is null))
);

CREATE TABLE integration_tokens (
  marketplace text NOT NULL,
  kind text NOT NULL,
  value_encrypted text NOT NULL,
  fence integer DEFAULT 0 NOT NULL,
  obtained_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT integration_tokens_marketplace_kind_pk PRIMARY KEY (marketplace, kind),
  CONSTRAINT kind_filled CHECK (char_length(btrim(kind)) between 1 and 50),
  CONSTRAINT integration_tokens_marketplace_integrations_marketplace_fk FOREIGN KEY (marketplace) REFERENCES integrations (marketplace)
);

CREATE TABLE connection_checks (
  marketplace text PRIMARY KEY NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  milliseconds integer NOT NULL,
  error text,
  shop_name text,
  notes text[] NOT NULL,
  ends_at timestamptz(3),
  CONSTRAINT milliseconds_range CHECK (milliseconds between 0 and 2147483647),
  CONSTRAINT connection_checks_marketplace_integrations_marketplace_fk FOREIGN KEY (marketplace) REFERENCES integrations (marketplace)
);

-- The same as deliveryOf() of the program; a test holds them together.
CREATE FUNCTION settings_deliveries() RETURNS TABLE (marketplace text, delivery text) LANGUAGE sql STABLE AS $$
  SELECT m.marketplace, CASE WHEN NOT m.is_entered THEN 'file' WHEN m.is_enabled AND m.is_complete THEN 'connected' ELSE 'paused' END
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

INSERT INTO integrations (marketplace, delivery) SELECT marketplace, delivery FROM settings_deliveries();

DROP TRIGGER app_settings_paused_due ON app_settings;
DROP FUNCTION switched_marketplaces_are_due();
DROP FUNCTION paused_marketplaces(app_settings);

-- Listings whose prices now go another way are decided anew.
CREATE FUNCTION deliveries_follow_settings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved text[];
BEGIN
  WITH changed AS (
    UPDATE integrations i SET delivery = d.delivery FROM settings_deliveries() d
    WHERE i.marketplace = d.marketplace AND i.delivery <> d.delivery RETURNING i.marketplace
  )
  SELECT array_agg(marketplace) INTO moved FROM changed;
  IF moved IS NOT NULL THEN
    PERFORM mark_due(
      (SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.marketplace = ANY (moved)), 'marketplace');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER app_settings_deliveries AFTER UPDATE ON app_settings
  FOR EACH STATEMENT EXECUTE FUNCTION deliveries_follow_settings();
CREATE TRIGGER connector_credentials_deliveries AFTER INSERT OR DELETE ON connector_credentials
  FOR EACH STATEMENT EXECUTE FUNCTION deliveries_follow_settings();
