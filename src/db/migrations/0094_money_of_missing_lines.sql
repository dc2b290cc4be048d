-- As in 0091; an amount that names a line or SKU which its order does not have belongs to none of the order's sales.
CREATE OR REPLACE FUNCTION match_money(ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  listings_due bigint[];
  moments_due timestamptz[];
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
    RETURNING m.former, m.listing_id AS present, e.posted_at)
  SELECT array_agg(d.id), array_agg(c.posted_at) INTO listings_due, moments_due
  FROM changed c CROSS JOIN LATERAL (VALUES (c.former), (c.present)) d (id) WHERE d.id IS NOT NULL;
  IF listings_due IS NOT NULL THEN
    PERFORM mark_profit_due(listings_due, moments_due);
  END IF;
END
$$;

-- What was given to other lines until now; sales with money for their whole order may lack a line of it.
SELECT match_money(array_agg(id)) FROM money_events
WHERE matched_by = 'order' AND (line_ref IS NOT NULL OR sku IS NOT NULL) AND superseded_by IS NULL;
INSERT INTO sale_money_due (sale_id)
SELECT DISTINCT h.id FROM money_events e JOIN sales_history h ON h.order_ref = e.order_ref
JOIN listings l ON l.id = h.listing_id AND l.marketplace = e.marketplace
WHERE e.kind <> 'transfer' AND e.superseded_by IS NULL ORDER BY 1
ON CONFLICT (sale_id) DO NOTHING;
