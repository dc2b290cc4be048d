-- The order of a sale that was stored before, or another one, is told later: what was booked for it belongs to the sale.
CREATE FUNCTION money_of_renamed_sale_is_matched() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM match_money(array_agg(DISTINCT e.id)) FROM money_events e
  WHERE e.order_ref IN (OLD.order_ref, NEW.order_ref) OR e.line_ref IN (OLD.external_id, NEW.external_id);
  INSERT INTO sale_money_due (sale_id)
  SELECT h.id FROM sales_history h WHERE h.order_ref IN (OLD.order_ref, NEW.order_ref) ORDER BY 1
  ON CONFLICT (sale_id) DO UPDATE SET sale_id = excluded.sale_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_money_update AFTER UPDATE ON sales_history FOR EACH ROW
  WHEN ((OLD.order_ref, OLD.external_id) IS DISTINCT FROM (NEW.order_ref, NEW.external_id))
  EXECUTE FUNCTION money_of_renamed_sale_is_matched();

-- What was missed until now: amounts of orders that are known.
SELECT match_money(array_agg(DISTINCT e.id)) FROM money_events e
JOIN sales_history h ON h.order_ref = e.order_ref OR h.external_id = e.line_ref
WHERE e.superseded_by IS NULL AND e.matched_by IN ('sku', 'marketplace') AND e.kind <> 'transfer';
INSERT INTO sale_money_due (sale_id)
SELECT DISTINCT h.id FROM money_events e JOIN sales_history h ON h.order_ref = e.order_ref OR h.external_id = e.line_ref
JOIN listings l ON l.id = h.listing_id AND l.marketplace = e.marketplace
WHERE e.kind <> 'transfer' AND e.superseded_by IS NULL ORDER BY 1
ON CONFLICT (sale_id) DO NOTHING;
