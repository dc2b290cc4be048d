-- Which sales a learned sales tax applies to is known to what learns it: not all of them, and none of closed books.
DROP TRIGGER fee_terms_sales_due_update ON fee_terms;
CREATE TRIGGER fee_terms_sales_due_update AFTER UPDATE ON fee_terms FOR EACH ROW
  WHEN (OLD.sales_tax IS DISTINCT FROM NEW.sales_tax) EXECUTE FUNCTION sales_of_fee_terms_are_due();
