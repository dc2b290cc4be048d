-- A listing that sold out is not renewed: once the money of the day after a sale is read, a renewal that was not booked is none.
-- Sales whose fees are otherwise charged are calculated again when the ledger reaches that day.
CREATE FUNCTION sales_of_read_money_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  INSERT INTO sale_money_due (sale_id)
  SELECT h.id FROM sales_history h
  WHERE h.money_state = 'told' AND h.is_about
    AND h.sale_date >= NEW.read_from AND h.sale_date <= NEW.read_until - interval '1 day'
    AND (OLD IS NULL OR h.sale_date < OLD.read_from OR h.sale_date > OLD.read_until - interval '1 day')
    AND (SELECT l.marketplace FROM listings l WHERE l.id = h.listing_id) = NEW.marketplace
  ORDER BY 1
  ON CONFLICT (sale_id) DO UPDATE SET sale_id = excluded.sale_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER money_reads_sales_due AFTER INSERT OR UPDATE ON money_reads
  FOR EACH ROW EXECUTE FUNCTION sales_of_read_money_are_due();

-- Those of which it was read already.
INSERT INTO sale_money_due (sale_id)
SELECT h.id FROM sales_history h JOIN listings l ON l.id = h.listing_id
WHERE h.money_state = 'told' AND h.is_about AND l.marketplace = 'etsy' ORDER BY 1
ON CONFLICT (sale_id) DO NOTHING;
