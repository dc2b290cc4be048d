-- The assumed sales tax has no date: a new one applies to every sale of its marketplace.
CREATE FUNCTION sales_of_fee_terms_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(id), array_agg(NULL::timestamptz)) FROM listings WHERE marketplace = NEW.marketplace;
  RETURN NULL;
END
$$;
CREATE TRIGGER fee_terms_sales_due_update AFTER UPDATE ON fee_terms FOR EACH ROW
  WHEN (OLD.sales_tax IS DISTINCT FROM NEW.sales_tax) EXECUTE FUNCTION sales_of_fee_terms_are_due();
