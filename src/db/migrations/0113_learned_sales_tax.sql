-- Sales tax as a share of revenue of the seller's own orders.
ALTER TABLE fee_terms ADD COLUMN learned_sales_tax numeric(5, 2);
ALTER TABLE fee_terms ADD CONSTRAINT learned_sales_tax_range CHECK (learned_sales_tax between 0 and 30);

DROP TRIGGER fee_terms_sales_due_update ON fee_terms;
CREATE TRIGGER fee_terms_sales_due_update AFTER UPDATE ON fee_terms FOR EACH ROW
  WHEN ((OLD.sales_tax, OLD.learned_sales_tax) IS DISTINCT FROM (NEW.sales_tax, NEW.learned_sales_tax))
  EXECUTE FUNCTION sales_of_fee_terms_are_due();
