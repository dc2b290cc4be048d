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
