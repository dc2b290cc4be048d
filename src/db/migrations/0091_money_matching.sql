-- As in 0089, by orders that are found first: a plan that starts with the listings reads each of them for every amount.
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
      SELECT count(*) AS lines, bool_or(h.external_id = n.line_ref) AS is_line, bool_or(h.sku = n.sku) AS is_sku
      FROM (SELECT s.external_id,
          (SELECT o.sku FROM listings o WHERE o.id = s.listing_id AND o.marketplace = n.marketplace) AS sku
        FROM sales_history s WHERE n.kind <> 'transfer' AND (s.order_ref = n.order_ref OR s.external_id = n.line_ref)
        OFFSET 0) h
      WHERE h.sku IS NOT NULL) s
    LEFT JOIN LATERAL (
      SELECT o.id FROM listings o
      WHERE s.lines = 0 AND n.kind <> 'transfer' AND o.marketplace = n.marketplace AND o.sku = n.sku
      ORDER BY o.deleted_at IS NOT NULL, o.id DESC LIMIT 1) by_sku ON true
    LEFT JOIN LATERAL (
      SELECT o.id FROM listings o
      WHERE s.lines = 0 AND n.kind <> 'transfer' AND n.sku IS NULL AND o.marketplace = n.marketplace
        AND o.marketplace_item_id = n.item_id
      ORDER BY o.deleted_at IS NOT NULL, o.id DESC LIMIT 1) by_item ON true
    CROSS JOIN LATERAL (SELECT coalesce(by_sku.id, by_item.id) AS id) l
    CROSS JOIN LATERAL (SELECT CASE WHEN s.is_line THEN 'line' WHEN s.is_sku THEN 'order_sku' WHEN s.lines > 0 THEN 'order'
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
  RETURN NULL;
END
$$;

-- Amounts without a SKU name the item.
CREATE INDEX listings_item_id_idx ON listings (marketplace, marketplace_item_id) WHERE marketplace_item_id is not null;
