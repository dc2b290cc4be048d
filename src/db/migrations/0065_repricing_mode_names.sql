-- One word per concept: tables, columns and functions of repricing modes and runs get the terms of the documentation.
-- Names only, no row is rewritten.

ALTER TABLE engine_states RENAME TO marketplace_modes;
ALTER TABLE marketplace_modes RENAME CONSTRAINT engine_states_pkey TO marketplace_modes_pkey;
ALTER TABLE marketplace_modes RENAME COLUMN observes_because TO reset_reason;
ALTER TABLE marketplace_modes RENAME CONSTRAINT observes_because_known TO reset_reason_known;
ALTER TABLE marketplace_modes RENAME CONSTRAINT armed_is_no_observing TO live_has_no_reset_reason;
ALTER TRIGGER engine_states_due ON marketplace_modes RENAME TO marketplace_modes_due;

ALTER TABLE engine_switch RENAME TO repricing_state;
ALTER TABLE repricing_state RENAME CONSTRAINT engine_switch_pkey TO repricing_state_pkey;
ALTER TABLE repricing_state RENAME COLUMN looked_plan TO reviewed_plan;
ALTER TABLE repricing_state RENAME COLUMN looked_at TO reviewed_at;
ALTER TABLE repricing_state RENAME COLUMN looked_by TO reviewed_by;
ALTER TRIGGER engine_switch_due ON repricing_state RENAME TO repricing_state_due;
ALTER TRIGGER engine_halted_due ON repricing_state RENAME TO repricing_halted_due;

ALTER TABLE milestones RENAME TO setup_flags;
ALTER TABLE setup_flags RENAME CONSTRAINT milestones_pkey TO setup_flags_pkey;

ALTER TABLE repricing_runs RENAME COLUMN on_floor TO at_margin_floor;
ALTER TABLE repricing_runs RENAME CONSTRAINT on_floor_range TO at_margin_floor_range;
ALTER TABLE repricing_runs RENAME COLUMN same_price TO at_same_price;
ALTER TABLE repricing_runs RENAME CONSTRAINT same_price_range TO at_same_price_range;

ALTER TABLE integrations RENAME COLUMN delivery TO price_channel;
ALTER TABLE integrations RENAME CONSTRAINT delivery_known TO price_channel_known;

-- Functions are text: these two name what was renamed above, and are otherwise the same.
DROP FUNCTION settings_deliveries();
-- The same as priceChannelOf() of the program; a test holds them together.
CREATE FUNCTION settings_price_channels() RETURNS TABLE (marketplace text, price_channel text) LANGUAGE sql STABLE AS $$
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

ALTER FUNCTION deliveries_follow_settings() RENAME TO price_channels_follow_settings;
CREATE OR REPLACE FUNCTION price_channels_follow_settings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved text[];
BEGIN
  WITH changed AS (
    UPDATE integrations i SET price_channel = c.price_channel FROM settings_price_channels() c
    WHERE i.marketplace = c.marketplace AND i.price_channel <> c.price_channel RETURNING i.marketplace
  )
  SELECT array_agg(marketplace) INTO moved FROM changed;
  IF moved IS NOT NULL THEN
    PERFORM mark_due(
      (SELECT array_agg(l.id) FROM listings l WHERE l.deleted_at IS NULL AND l.marketplace = ANY (moved)), 'marketplace');
  END IF;
  RETURN NULL;
END
$$;
ALTER TRIGGER app_settings_deliveries ON app_settings RENAME TO app_settings_price_channels;
ALTER TRIGGER connector_credentials_deliveries ON connector_credentials RENAME TO connector_credentials_price_channels;
