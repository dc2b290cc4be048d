-- Defaults of marketplaces that a user had deleted before published fees were remembered: they do not return.
INSERT INTO shipped_fees (marketplace, content, loaded_at)
SELECT m.name, 'deleted', now() FROM unnest(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify']) m (name)
WHERE NOT EXISTS (SELECT FROM fee_schedules f WHERE f.marketplace = m.name AND f.category IS NULL AND f.effective_from IS NULL)
ON CONFLICT DO NOTHING;

-- Another shipper: what was asked of the fees under the former one is asked no more.
CREATE OR REPLACE FUNCTION fees_of_another_shipper_are_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE marketplace_listings SET fees_read_at = NULL, fee_ask_price = NULL, fee_ask_after = NULL WHERE listing_id = NEW.id;
  RETURN NULL;
END
$$;
