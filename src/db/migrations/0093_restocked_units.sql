-- Units of a sale that came back into stock: their product cost is not lost.
ALTER TABLE sales_history ADD COLUMN restocked integer DEFAULT 0 NOT NULL;
ALTER TABLE sales_history ADD COLUMN restocked_at timestamptz(3);
ALTER TABLE sales_history ADD CONSTRAINT restocked_range CHECK (restocked between 0 and 2147483647);
ALTER TABLE sales_history ADD CONSTRAINT restocked_has_time CHECK ((restocked > 0) = (restocked_at is not null));

CREATE FUNCTION restocked_sale_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sale_money_due (sale_id) VALUES (NEW.id) ON CONFLICT (sale_id) DO UPDATE SET sale_id = excluded.sale_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_restocked AFTER UPDATE OF restocked ON sales_history FOR EACH ROW
  WHEN (OLD.restocked IS DISTINCT FROM NEW.restocked) EXECUTE FUNCTION restocked_sale_is_due();
