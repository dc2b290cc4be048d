-- A price of a user who was told why the listing is not repriced from here, and confirmed.
ALTER TABLE price_intents
  ADD COLUMN past_reason text CONSTRAINT past_reason_filled CHECK (char_length(btrim(past_reason)) between 1 and 500);

-- What trying out found about an account, such as how it takes prices.
CREATE TABLE account_findings (
  marketplace text NOT NULL
    CONSTRAINT account_findings_marketplace_integrations_marketplace_fk REFERENCES integrations (marketplace),
  name text NOT NULL CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 100),
  value jsonb NOT NULL,
  generation integer NOT NULL CONSTRAINT generation_range CHECK (generation between 0 and 2147483647),
  found_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  CONSTRAINT account_findings_marketplace_name_pk PRIMARY KEY (marketplace, name)
);

-- The seller's own limits on the marketplace are part of the allowed prices.
ALTER TABLE marketplace_listings
  ADD COLUMN seller_min numeric(10, 2) CONSTRAINT seller_min_range CHECK (seller_min between 0.01 and 99999999.99),
  ADD COLUMN seller_max numeric(10, 2) CONSTRAINT seller_max_range CHECK (seller_max between 0.01 and 99999999.99),
  ADD COLUMN map_price numeric(10, 2) CONSTRAINT map_price_range CHECK (map_price between 0.01 and 99999999.99);

CREATE FUNCTION changed_price_limits_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due(ARRAY[NEW.listing_id], 'marketplace');
  -- A price that was refused for its limits may be accepted now.
  PERFORM clear_refusals(ARRAY[NEW.listing_id]);
  RETURN NULL;
END
$$;
CREATE TRIGGER marketplace_listings_due_insert
  AFTER INSERT ON marketplace_listings
  FOR EACH ROW WHEN (coalesce(NEW.seller_min, NEW.seller_max, NEW.map_price) IS NOT NULL)
  EXECUTE FUNCTION changed_price_limits_are_due();
CREATE TRIGGER marketplace_listings_due_update
  AFTER UPDATE OF seller_min, seller_max, map_price ON marketplace_listings
  FOR EACH ROW WHEN (
    (OLD.seller_min, OLD.seller_max, OLD.map_price) IS DISTINCT FROM (NEW.seller_min, NEW.seller_max, NEW.map_price)
  ) EXECUTE FUNCTION changed_price_limits_are_due();
