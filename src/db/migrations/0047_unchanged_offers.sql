-- Offers that are read again as they were move a time, and nothing is decided anew because of it. What is old is
-- thinned out: every set for 30 days, an hour in one row up to 90 days, a day in one row after that.

-- A nullable column and a setting of the table rewrite nothing: both are done at once, however large the table is.
ALTER TABLE competitor_prices ADD COLUMN last_seen_at timestamptz(3);
-- Room for the next version of a row on its own page, so that moving a time touches no index.
ALTER TABLE competitor_prices SET (fillfactor = 80);
ALTER TABLE competitor_offers SET (fillfactor = 70);

CREATE TABLE competitor_price_periods (
  listing_id bigint NOT NULL,
  marketplace text NOT NULL,
  grain text NOT NULL,
  timestamp timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  amazon_direct_price numeric(10, 2),
  walmart_direct_price numeric(10, 2),
  third_party_min_price numeric(10, 2),
  third_party_max_price numeric(10, 2),
  third_party_avg_price numeric(10, 2),
  third_party_seller_count integer NOT NULL,
  buy_box_price numeric(10, 2),
  buy_box_seller text,
  CONSTRAINT competitor_price_periods_pk PRIMARY KEY (listing_id, marketplace, grain, timestamp),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT grain_known CHECK (grain in ('hour', 'day')),
  CONSTRAINT amazon_direct_price_range CHECK (amazon_direct_price between 0.01 and 99999999.99),
  CONSTRAINT walmart_direct_price_range CHECK (walmart_direct_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_min_price_range CHECK (third_party_min_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_max_price_range CHECK (third_party_max_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_avg_price_range CHECK (third_party_avg_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_seller_count_range CHECK (third_party_seller_count between 0 and 2147483647),
  CONSTRAINT buy_box_price_range CHECK (buy_box_price between 0.01 and 99999999.99),
  CONSTRAINT competitor_price_periods_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

CREATE FUNCTION mark_offers_due(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- A rule may look at the same SKU on other channels.
  PERFORM mark_due((
    SELECT array_agg(DISTINCT other.id) FROM unnest(ids) AS seen (id)
    JOIN listings l ON l.id = seen.id JOIN listings other ON other.sku = l.sku AND other.deleted_at IS NULL
    WHERE other.id = l.id OR EXISTS (SELECT FROM repricing_rules r WHERE r.other_channels AND r.deleted_at IS NULL)
  ), 'offers');
END
$$;

CREATE OR REPLACE FUNCTION offers_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_offers_due((SELECT array_agg(DISTINCT listing_id) FROM changed));
  RETURN NULL;
END
$$;

-- A later time on an offer that still counted says nothing new. Whoever moves times says where one may have run out
-- meanwhile; a statement typed by hand is heard unless it moves a time on by less than an offer counts.
CREATE FUNCTION edited_offers_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  age interval := (SELECT max_offer_age_minutes * interval '1 minute' FROM app_settings);
BEGIN
  PERFORM mark_offers_due((
    SELECT array_agg(DISTINCT n.listing_id) FROM changed n JOIN before o ON o.id = n.id
    WHERE (n.listing_id, n.seller_name, n.seller_key, n.is_marketplace, n.price, n.shipping, n.fulfillment_type,
        n.is_featured, n.is_ours, n.rating, n.rating_count, n.handling_days)
      IS DISTINCT FROM (o.listing_id, o.seller_name, o.seller_key, o.is_marketplace, o.price, o.shipping,
        o.fulfillment_type, o.is_featured, o.is_ours, o.rating, o.rating_count, o.handling_days)
      OR (n.seen_at IS DISTINCT FROM o.seen_at
        AND NOT coalesce(n.seen_at > o.seen_at AND n.seen_at <= o.seen_at + age, false))));
  RETURN NULL;
END
$$;
DROP TRIGGER competitor_offers_due_update ON competitor_offers;
CREATE TRIGGER competitor_offers_due_update AFTER UPDATE ON competitor_offers
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION edited_offers_are_due();
