-- A marketplace whose key is stored and that is switched off is paused: the engine only recommends there. One without a
-- key goes by file, switched on or off.

CREATE FUNCTION paused_marketplaces(settings app_settings) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(marketplace ORDER BY marketplace), '{}') FROM (VALUES
    ('walmart', settings.walmart_enabled, settings.walmart_client_secret),
    ('amazon', settings.amazon_enabled, settings.amazon_lwa_client_secret),
    ('michaels', settings.michaels_enabled, settings.michaels_api_key),
    ('ebay', settings.ebay_enabled, settings.ebay_cert_id),
    ('etsy', settings.etsy_enabled, settings.etsy_keystring),
    ('shopify', settings.shopify_enabled, settings.shopify_api_key)
  ) AS switches (marketplace, is_enabled, secret)
  WHERE NOT is_enabled AND secret IS NOT NULL
$$;

CREATE FUNCTION switched_marketplaces_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(l.id) FROM listings l
    WHERE l.deleted_at IS NULL
      AND (l.marketplace = ANY (paused_marketplaces(OLD))) <> (l.marketplace = ANY (paused_marketplaces(NEW)))
  ), 'marketplace');
  RETURN NULL;
END
$$;
CREATE TRIGGER app_settings_paused_due AFTER UPDATE ON app_settings FOR EACH ROW
  WHEN (paused_marketplaces(OLD) IS DISTINCT FROM paused_marketplaces(NEW))
  EXECUTE FUNCTION switched_marketplaces_are_due();
