-- Whether an amount without a sale is in the profit of the day on which it was booked. What a sale has itself, or an estimate of,
-- is not, or it would count twice; neither is anything of an order whose revenue the seller kept: it waits for its sale.
ALTER TABLE money_events ADD COLUMN counts_alone boolean DEFAULT false NOT NULL;
DROP INDEX money_events_unlisted_idx;
CREATE INDEX money_events_unlisted_idx ON money_events (marketplace, posted_at)
  WHERE superseded_by is null AND matched_by = 'marketplace' AND counts_alone;

-- An order line that was paid back before its payment was read is recorded once that is booked.
ALTER TABLE unlisted_sales ADD COLUMN is_refunded boolean DEFAULT false NOT NULL;
CREATE INDEX unlisted_sales_refunded_idx ON unlisted_sales (marketplace, order_ref) WHERE is_refunded;

-- What every sale has, as it was booked or as an estimate. A renewal is of a sale where Etsy says so; other ones keep a listing
-- that did not sell.
CREATE FUNCTION is_sale_money(kind text, raw_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN kind = 'renewal' THEN raw_type ~* '^(renew_sold|renew_sold_auto|transaction_quantity)$'
    ELSE kind IN ('principal', 'shipping', 'discount', 'funded', 'tax', 'commission', 'closing', 'per_order', 'payment',
      'fulfillment', 'label') END
$$;

-- Finds which of these amounts count alone, with all others of their orders, or of their lines where no order is named. Of an order
-- without a sale everything counts once its revenue was paid back; before, and where it was never booked, what is no sale money.
CREATE FUNCTION count_lone_money(ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  listings_due bigint[];
  moments_due timestamptz[];
  marketplaces_due text[];
  unlisted_moments_due timestamptz[];
BEGIN
  WITH orders AS MATERIALIZED (
    SELECT DISTINCT v.marketplace, v.order_ref, CASE WHEN v.order_ref IS NULL THEN v.line_ref END AS line_ref
    FROM money_events n JOIN money_events v ON v.marketplace = n.marketplace AND v.external_id = n.external_id
    WHERE n.id = ANY (ids)),
  booked AS (
    SELECT e.id, e.kind, e.raw_type, e.amount, o.marketplace, o.order_ref, o.line_ref,
      e.matched_by IN ('sku', 'marketplace') AND e.kind <> 'transfer' AS is_lone
    FROM orders o CROSS JOIN LATERAL (
      SELECT * FROM money_events m WHERE m.order_ref = o.order_ref
      UNION ALL
      SELECT * FROM money_events m WHERE m.line_ref = o.line_ref AND m.order_ref IS NULL) e
    WHERE e.marketplace = o.marketplace AND e.superseded_by IS NULL),
  summed AS (
    SELECT id, kind, raw_type, is_lone, coalesce(bool_or(is_lone AND kind LIKE 'refund%') OVER of_order, false) AS is_returned,
      coalesce(sum(amount) FILTER (WHERE is_lone AND kind IN ('principal', 'shipping', 'discount', 'funded', 'tax', 'refund_principal',
        'refund_shipping')) OVER of_order, 0) AS kept
    FROM booked WINDOW of_order AS (PARTITION BY marketplace, order_ref, line_ref)),
  found AS (
    SELECT id, is_lone AND kept <= 0 AND (is_returned OR NOT is_sale_money(kind, raw_type)) AS counts FROM summed
    UNION ALL
    SELECT id, matched_by IN ('sku', 'marketplace') AND kind <> 'transfer' AND NOT is_sale_money(kind, raw_type)
    FROM money_events WHERE id = ANY (ids) AND superseded_by IS NULL AND order_ref IS NULL AND line_ref IS NULL),
  changed AS (
    UPDATE money_events e SET counts_alone = f.counts FROM found f WHERE e.id = f.id AND e.counts_alone <> f.counts
    RETURNING e.listing_id, e.marketplace, e.posted_at)
  SELECT array_agg(listing_id) FILTER (WHERE listing_id IS NOT NULL), array_agg(posted_at) FILTER (WHERE listing_id IS NOT NULL),
    array_agg(marketplace) FILTER (WHERE listing_id IS NULL), array_agg(posted_at) FILTER (WHERE listing_id IS NULL)
  INTO listings_due, moments_due, marketplaces_due, unlisted_moments_due FROM changed;
  IF listings_due IS NOT NULL THEN
    PERFORM mark_profit_due(listings_due, moments_due);
  END IF;
  IF marketplaces_due IS NOT NULL THEN
    PERFORM mark_unlisted_due(marketplaces_due, unlisted_moments_due);
  END IF;
END
$$;

-- As in 0099; what counts alone is found anew.
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
      e.counts_alone AND (m.former IS NULL OR m.listing_id IS NULL) AS is_unlisted)
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
  PERFORM count_lone_money(ids);
END
$$;

-- As in 0099; a line that was paid back has its payment now.
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
  WHERE e.matched_by = 'marketplace' AND e.counts_alone;
  INSERT INTO money_match_due (listing_id)
  SELECT DISTINCT l.id FROM changed c
  JOIN unlisted_sales u ON u.marketplace = c.marketplace AND u.order_ref = c.order_ref AND u.is_refunded
  CROSS JOIN LATERAL (
    SELECT o.id FROM listings o WHERE o.marketplace = u.marketplace AND o.sku = u.sku
    UNION ALL
    SELECT o.id FROM listings o WHERE o.marketplace = u.marketplace AND u.sku IS NULL AND o.marketplace_item_id = u.item_id) l
  WHERE c.kind = 'principal' ORDER BY 1
  ON CONFLICT (listing_id) DO UPDATE SET listing_id = excluded.listing_id;
  RETURN NULL;
END
$$;

-- What counted until now, and no longer does.
SELECT mark_profit_due(array_agg(listing_id), array_agg(posted_at)) FROM money_events
WHERE listing_id IS NOT NULL AND superseded_by IS NULL AND order_ref IS NULL AND line_ref IS NULL AND is_sale_money(kind, raw_type);
SELECT mark_unlisted_due(array_agg(marketplace), array_agg(posted_at)) FROM money_events
WHERE superseded_by IS NULL AND matched_by = 'marketplace' AND order_ref IS NULL AND line_ref IS NULL AND is_sale_money(kind, raw_type);
SELECT count_lone_money(array_agg(id)) FROM money_events
WHERE superseded_by IS NULL AND matched_by IN ('sku', 'marketplace') AND kind <> 'transfer';
-- What Shopify kept of canceled orders was booked as the payment fee of no order, and counts as before.
UPDATE money_events SET counts_alone = true
WHERE marketplace = 'shopify' AND kind = 'payment' AND order_ref IS NULL AND line_ref IS NULL AND matched_by = 'marketplace'
  AND superseded_by IS NULL;
