-- A sales tax that a user entered is no longer told from the assumed one by its amount: null is not entered.
ALTER TABLE fee_terms
  ALTER COLUMN sales_tax DROP NOT NULL,
  ALTER COLUMN sales_tax DROP DEFAULT,
  ADD COLUMN learned_from_orders integer,
  ADD CONSTRAINT learned_from_orders_range CHECK (learned_from_orders between 1 and 2147483647),
  ADD CONSTRAINT learned_from_orders_of_share CHECK (learned_from_orders is null or learned_sales_tax is not null);

-- 8% was entered on purpose where the audit log has that it replaced another share, and none replaced it since. What counted
-- so far counts on otherwise, so that no sale is calculated again for it.
CREATE TEMPORARY TABLE entered_eight ON COMMIT DROP AS
  SELECT marketplace FROM fee_terms t WHERE sales_tax = 8 AND (
    SELECT (a.after ->> 'salesTax')::numeric = 800 FROM audit_log a
    WHERE a.action = 'fees.terms_saved' AND a.target_kind = 'marketplace' AND a.target_id = t.marketplace
      AND a.before ->> 'salesTax' IS DISTINCT FROM a.after ->> 'salesTax'
    ORDER BY a.at DESC, a.id DESC LIMIT 1);
ALTER TABLE fee_terms DISABLE TRIGGER fee_terms_sales_due_update;
UPDATE fee_terms SET sales_tax = NULL WHERE sales_tax = 8 AND marketplace NOT IN (SELECT marketplace FROM entered_eight);
ALTER TABLE fee_terms ENABLE TRIGGER fee_terms_sales_due_update;
-- An entered 8% counts from now, where the learned one counted.
SELECT mark_sales_due(array_agg(l.id), array_agg(NULL::timestamptz))
FROM entered_eight e JOIN fee_terms t USING (marketplace) JOIN listings l USING (marketplace)
WHERE t.learned_sales_tax IS DISTINCT FROM 8 AND t.learned_sales_tax IS NOT NULL HAVING count(*) > 0;
