-- What a sale earned by what its marketplace booked: every part estimated and told, and sums of days with it.
ALTER TABLE sales_history ADD COLUMN parts jsonb DEFAULT '[]' NOT NULL;
ALTER TABLE sales_history ADD COLUMN adjustment numeric(10, 2);
ALTER TABLE sales_history ADD COLUMN ads numeric(10, 2);
ALTER TABLE sales_history ADD COLUMN refunds numeric(10, 2);
ALTER TABLE sales_history ADD COLUMN is_pending boolean DEFAULT false NOT NULL;
ALTER TABLE sales_history ADD CONSTRAINT adjustment_range CHECK (adjustment between -99999999.99 and 99999999.99);
ALTER TABLE sales_history ADD CONSTRAINT ads_range CHECK (ads between -99999999.99 and 99999999.99);
ALTER TABLE sales_history ADD CONSTRAINT refunds_range CHECK (refunds between -99999999.99 and 99999999.99);
-- More can come back than was charged.
ALTER TABLE sales_history DROP CONSTRAINT marketplace_fees_range;
ALTER TABLE sales_history ADD CONSTRAINT marketplace_fees_range CHECK (marketplace_fees between -99999999.99 and 99999999.99);

-- What returns of a sale cost, by the day on which it was booked.
CREATE TABLE sale_refunds (
  sale_id bigint NOT NULL,
  day date NOT NULL,
  listing_id bigint NOT NULL,
  amount numeric(10, 2) NOT NULL,
  CONSTRAINT amount_range CHECK (amount between -99999999.99 and 99999999.99),
  CONSTRAINT sale_refunds_sale_id_day_pk PRIMARY KEY (sale_id, day),
  CONSTRAINT sale_refunds_sale_id_sales_history_id_fk FOREIGN KEY (sale_id) REFERENCES sales_history(id) ON DELETE CASCADE,
  CONSTRAINT sale_refunds_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX sale_refunds_listing_idx ON sale_refunds (listing_id, day);

-- Sales to be calculated again for what was booked of them.
CREATE TABLE sale_money_due (
  sale_id bigint PRIMARY KEY,
  CONSTRAINT sale_money_due_sale_id_sales_history_id_fk FOREIGN KEY (sale_id) REFERENCES sales_history(id) ON DELETE CASCADE
);

-- A day without a sale has what was booked on it.
ALTER TABLE profit_days ADD COLUMN ads numeric(20, 2);
ALTER TABLE profit_days ADD COLUMN refunds numeric(20, 2);
ALTER TABLE profit_days ADD CONSTRAINT ads_range CHECK (ads between -999999999999999999.99 and 999999999999999999.99);
ALTER TABLE profit_days ADD CONSTRAINT refunds_range CHECK (refunds between -999999999999999999.99 and 999999999999999999.99);
ALTER TABLE profit_days DROP CONSTRAINT sales_range;
ALTER TABLE profit_days DROP CONSTRAINT units_range;
ALTER TABLE profit_days ADD CONSTRAINT sales_range CHECK (sales between 0 and 2147483647);
ALTER TABLE profit_days ADD CONSTRAINT units_range CHECK (units between 0 and 2147483647);

CREATE FUNCTION profit_of_refunds_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_due(array_agg(listing_id), array_agg(day::timestamp AT TIME ZONE 'UTC')) FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER sale_refunds_profit_due_insert AFTER INSERT ON sale_refunds
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION profit_of_refunds_is_due();
CREATE TRIGGER sale_refunds_profit_due_delete AFTER DELETE ON sale_refunds
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION profit_of_refunds_is_due();

-- As in 0086; the days of a listing that gets an amount without a sale, or gives one away, are due.
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
      SELECT count(*) AS lines, bool_or(h.external_id = n.line_ref) AS is_line, bool_or(o.sku = n.sku) AS is_sku
      FROM sales_history h JOIN listings o ON o.id = h.listing_id AND o.marketplace = n.marketplace
      WHERE n.kind <> 'transfer' AND (h.order_ref = n.order_ref OR h.external_id = n.line_ref)) s
    LEFT JOIN LATERAL (
      SELECT o.id FROM listings o
      WHERE n.kind <> 'transfer' AND o.marketplace = n.marketplace
        AND (o.sku = n.sku OR n.sku IS NULL AND o.marketplace_item_id = n.item_id)
      ORDER BY o.deleted_at IS NOT NULL, o.id DESC LIMIT 1) l ON s.lines = 0
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

-- What is booked, or booked otherwise, changes its sale; without a sale, the day of its listing.
CREATE FUNCTION booked_money_is_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  INSERT INTO sale_money_due (sale_id)
  SELECT DISTINCT h.id
  FROM changed c JOIN money_events e ON e.marketplace = c.marketplace AND e.external_id = c.external_id AND e.kind <> 'transfer'
  JOIN sales_history h ON h.order_ref = e.order_ref OR h.external_id = e.line_ref
  JOIN listings l ON l.id = h.listing_id AND l.marketplace = e.marketplace
  ORDER BY 1
  ON CONFLICT (sale_id) DO UPDATE SET sale_id = excluded.sale_id;
  PERFORM mark_profit_due(array_agg(e.listing_id), array_agg(e.posted_at))
  FROM changed c JOIN money_events e ON e.marketplace = c.marketplace AND e.external_id = c.external_id
  WHERE e.listing_id IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER money_events_sales_due AFTER INSERT ON money_events
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION booked_money_is_due();

-- What was booked until now.
INSERT INTO sale_money_due (sale_id)
SELECT DISTINCT h.id FROM money_events e JOIN sales_history h ON h.order_ref = e.order_ref OR h.external_id = e.line_ref
JOIN listings l ON l.id = h.listing_id AND l.marketplace = e.marketplace WHERE e.kind <> 'transfer';
SELECT mark_profit_due(array_agg(listing_id), array_agg(posted_at)) FROM money_events WHERE listing_id IS NOT NULL;
