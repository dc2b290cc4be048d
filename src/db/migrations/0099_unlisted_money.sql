-- What was booked for no listing (advertising by day, plans, storage without a SKU) belongs to its marketplace and day: a
-- row without a listing. What was booked for an order that was never read is in no sum: its cost is not known.
ALTER TABLE profit_days DROP CONSTRAINT profit_days_key;
ALTER TABLE profit_days ALTER COLUMN listing_id DROP NOT NULL;
ALTER TABLE profit_days ADD COLUMN marketplace text;
UPDATE profit_days p SET marketplace = l.marketplace FROM listings l WHERE l.id = p.listing_id;
ALTER TABLE profit_days ALTER COLUMN marketplace SET NOT NULL;
ALTER TABLE profit_days ADD CONSTRAINT marketplace_known
  CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'));
ALTER TABLE profit_days ADD CONSTRAINT profit_days_key UNIQUE NULLS NOT DISTINCT
  (listing_id, day, marketplace, price_source, rule_id, run_id);
CREATE INDEX profit_days_unlisted_idx ON profit_days (day) WHERE listing_id is null;

ALTER TABLE profit_due DROP CONSTRAINT profit_due_listing_id_day_pk;
ALTER TABLE profit_due ALTER COLUMN listing_id DROP NOT NULL;
ALTER TABLE profit_due ADD COLUMN marketplace text;
UPDATE profit_due p SET marketplace = l.marketplace FROM listings l WHERE l.id = p.listing_id;
ALTER TABLE profit_due ALTER COLUMN marketplace SET NOT NULL;
ALTER TABLE profit_due ADD CONSTRAINT marketplace_known
  CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'));
ALTER TABLE profit_due ADD CONSTRAINT profit_due_key UNIQUE NULLS NOT DISTINCT (listing_id, day, marketplace);

CREATE INDEX money_events_unlisted_idx ON money_events (marketplace, posted_at)
  WHERE superseded_by is null AND matched_by = 'marketplace' AND order_ref is null AND line_ref is null AND kind <> 'transfer';

-- As in 0078, with the marketplace of the listing.
CREATE OR REPLACE FUNCTION mark_profit_due(ids bigint[], moments timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_due (listing_id, day, marketplace)
  SELECT DISTINCT m.id, (m.at AT TIME ZONE 'UTC')::date, l.marketplace
  FROM unnest(ids, moments) AS m (id, at) JOIN listings l ON l.id = m.id ORDER BY 1, 2
  ON CONFLICT (listing_id, day, marketplace) DO UPDATE SET day = excluded.day
$$;
-- Days of a marketplace on which something was booked for no listing.
CREATE FUNCTION mark_unlisted_due(marketplaces text[], moments timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_due (day, marketplace)
  SELECT DISTINCT (m.at AT TIME ZONE 'UTC')::date, m.marketplace FROM unnest(marketplaces, moments) AS m (marketplace, at)
  ORDER BY 1, 2
  ON CONFLICT (listing_id, day, marketplace) DO UPDATE SET day = excluded.day
$$;

-- As in 0094; so are the days of a marketplace that gets an amount of no listing, or gives one away.
CREATE OR REPLACE FUNCTION match_money(ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  listings_due bigint[];
  marketplaces_due text[];
  moments_due timestamptz[];
  unlisted_moments_due timestamptz[];
BEGIN
  WITH matched AS (
    SELECT n.id, n.listing_id AS former, b.matched_by, CASE WHEN b.matched_by = 'sku' THEN l.id END AS listing_id
    FROM money_events n
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(h.external_id = n.line_ref), false) AS is_line, coalesce(bool_or(h.sku = n.sku), false) AS is_sku,
        count(*) > 0 AND n.line_ref IS NULL AND n.sku IS NULL AS is_order
      FROM (SELECT s.external_id,
          (SELECT o.sku FROM listings o WHERE o.id = s.listing_id AND o.marketplace = n.marketplace) AS sku
        FROM sales_history s WHERE n.kind <> 'transfer' AND (s.order_ref = n.order_ref OR s.external_id = n.line_ref)
        OFFSET 0) h
      WHERE h.sku IS NOT NULL) s
    CROSS JOIN LATERAL (SELECT s.is_line OR s.is_sku OR s.is_order AS is_sale) f
    LEFT JOIN LATERAL (
      SELECT o.id FROM listings o
      WHERE NOT f.is_sale AND n.kind <> 'transfer' AND o.marketplace = n.marketplace AND o.sku = n.sku
      ORDER BY o.deleted_at IS NOT NULL, o.id DESC LIMIT 1) by_sku ON true
    LEFT JOIN LATERAL (
      SELECT o.id FROM listings o
      WHERE NOT f.is_sale AND n.kind <> 'transfer' AND n.sku IS NULL AND o.marketplace = n.marketplace
        AND o.marketplace_item_id = n.item_id
      ORDER BY o.deleted_at IS NOT NULL, o.id DESC LIMIT 1) by_item ON true
    CROSS JOIN LATERAL (SELECT coalesce(by_sku.id, by_item.id) AS id) l
    CROSS JOIN LATERAL (SELECT CASE WHEN s.is_line THEN 'line' WHEN s.is_sku THEN 'order_sku' WHEN s.is_order THEN 'order'
      WHEN l.id IS NOT NULL THEN 'sku' ELSE 'marketplace' END AS matched_by) b
    WHERE n.id = ANY (ids) AND n.superseded_by IS NULL
    ORDER BY n.id),
  changed AS (
    UPDATE money_events e SET matched_by = m.matched_by, listing_id = m.listing_id FROM matched m
    WHERE e.id = m.id AND (e.matched_by, e.listing_id) IS DISTINCT FROM (m.matched_by, m.listing_id)
    RETURNING m.former, m.listing_id AS present, e.marketplace, e.posted_at,
      e.order_ref IS NULL AND e.line_ref IS NULL AND (m.former IS NULL OR m.listing_id IS NULL) AS is_unlisted)
  SELECT array_agg(d.id) FILTER (WHERE d.id IS NOT NULL), array_agg(c.posted_at) FILTER (WHERE d.id IS NOT NULL),
    array_agg(c.marketplace) FILTER (WHERE c.is_unlisted), array_agg(c.posted_at) FILTER (WHERE c.is_unlisted)
  INTO listings_due, moments_due, marketplaces_due, unlisted_moments_due
  FROM changed c CROSS JOIN LATERAL (VALUES (c.former), (c.present)) d (id);
  IF listings_due IS NOT NULL THEN
    PERFORM mark_profit_due(listings_due, moments_due);
  END IF;
  IF marketplaces_due IS NOT NULL THEN
    PERFORM mark_unlisted_due(marketplaces_due, unlisted_moments_due);
  END IF;
END
$$;

-- As in 0091.
CREATE OR REPLACE FUNCTION booked_money_is_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  INSERT INTO sale_money_due (sale_id)
  SELECT DISTINCT h.id
  FROM (SELECT e.marketplace, e.order_ref, e.line_ref FROM changed c
    JOIN money_events e ON e.marketplace = c.marketplace AND e.external_id = c.external_id AND e.kind <> 'transfer' OFFSET 0) e
  CROSS JOIN LATERAL (SELECT s.id, (SELECT o.marketplace FROM listings o WHERE o.id = s.listing_id) AS marketplace
    FROM sales_history s WHERE s.order_ref = e.order_ref OR s.external_id = e.line_ref OFFSET 0) h
  WHERE h.marketplace = e.marketplace
  ORDER BY 1
  ON CONFLICT (sale_id) DO UPDATE SET sale_id = excluded.sale_id;
  PERFORM mark_profit_due(array_agg(e.listing_id), array_agg(e.posted_at))
  FROM changed c JOIN money_events e ON e.marketplace = c.marketplace AND e.external_id = c.external_id
  WHERE e.listing_id IS NOT NULL;
  PERFORM mark_unlisted_due(array_agg(e.marketplace), array_agg(e.posted_at))
  FROM changed c JOIN money_events e ON e.marketplace = c.marketplace AND e.external_id = c.external_id
  WHERE e.matched_by = 'marketplace' AND e.order_ref IS NULL AND e.line_ref IS NULL AND e.kind <> 'transfer';
  RETURN NULL;
END
$$;

-- What was booked until now, for a listing (returns of orders never read were summed) and for none.
SELECT mark_profit_due(array_agg(listing_id), array_agg(posted_at)) FROM money_events WHERE listing_id IS NOT NULL;
SELECT mark_unlisted_due(array_agg(marketplace), array_agg(posted_at)) FROM money_events
WHERE superseded_by IS NULL AND matched_by = 'marketplace' AND order_ref IS NULL AND line_ref IS NULL AND kind <> 'transfer';
