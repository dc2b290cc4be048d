-- The day until which the books are closed: its sums never change. What changes them later is booked on the first open day.
ALTER TABLE app_settings ADD COLUMN books_closed_until date;

-- Of a correction, the closed day that it corrects. It may take sales away.
ALTER TABLE profit_days ADD COLUMN corrects date;
ALTER TABLE profit_days ADD CONSTRAINT corrects_earlier_day CHECK (corrects < day);
ALTER TABLE profit_days DROP CONSTRAINT profit_days_key;
ALTER TABLE profit_days ADD CONSTRAINT profit_days_key UNIQUE NULLS NOT DISTINCT
  (listing_id, day, marketplace, price_source, rule_id, run_id, corrects);
CREATE INDEX profit_days_corrects_idx ON profit_days (corrects, listing_id) WHERE corrects is not null;
ALTER TABLE profit_days DROP CONSTRAINT sales_range;
ALTER TABLE profit_days DROP CONSTRAINT sales_known_range;
ALTER TABLE profit_days DROP CONSTRAINT sales_told_range;
ALTER TABLE profit_days DROP CONSTRAINT units_range;
ALTER TABLE profit_days ADD CONSTRAINT sales_range CHECK (sales between -2147483647 and 2147483647);
ALTER TABLE profit_days ADD CONSTRAINT sales_known_range CHECK (sales_known between -2147483647 and 2147483647);
ALTER TABLE profit_days ADD CONSTRAINT sales_told_range CHECK (sales_told between -2147483647 and 2147483647);
ALTER TABLE profit_days ADD CONSTRAINT units_range CHECK (units between -2147483647 and 2147483647);
ALTER TABLE profit_months DROP CONSTRAINT sales_range;
ALTER TABLE profit_months DROP CONSTRAINT units_range;
ALTER TABLE profit_months ADD CONSTRAINT sales_range CHECK (sales between -2147483647 and 2147483647);
ALTER TABLE profit_months ADD CONSTRAINT units_range CHECK (units between -2147483647 and 2147483647);
ALTER TABLE profit_totals DROP CONSTRAINT sales_range;
ALTER TABLE profit_totals DROP CONSTRAINT sales_known_range;
ALTER TABLE profit_totals DROP CONSTRAINT sales_told_range;
ALTER TABLE profit_totals DROP CONSTRAINT units_range;
ALTER TABLE profit_totals ADD CONSTRAINT sales_range CHECK (sales between -2147483647 and 2147483647);
ALTER TABLE profit_totals ADD CONSTRAINT sales_known_range CHECK (sales_known between -2147483647 and 2147483647);
ALTER TABLE profit_totals ADD CONSTRAINT sales_told_range CHECK (sales_told between -2147483647 and 2147483647);
ALTER TABLE profit_totals ADD CONSTRAINT units_range CHECK (units between -2147483647 and 2147483647);
ALTER TABLE profit_run_months DROP CONSTRAINT sales_range;
ALTER TABLE profit_run_months DROP CONSTRAINT sales_known_range;
ALTER TABLE profit_run_months DROP CONSTRAINT sales_told_range;
ALTER TABLE profit_run_months DROP CONSTRAINT units_range;
ALTER TABLE profit_run_months ADD CONSTRAINT sales_range CHECK (sales between -2147483647 and 2147483647);
ALTER TABLE profit_run_months ADD CONSTRAINT sales_known_range CHECK (sales_known between -2147483647 and 2147483647);
ALTER TABLE profit_run_months ADD CONSTRAINT sales_told_range CHECK (sales_told between -2147483647 and 2147483647);
ALTER TABLE profit_run_months ADD CONSTRAINT units_range CHECK (units between -2147483647 and 2147483647);
