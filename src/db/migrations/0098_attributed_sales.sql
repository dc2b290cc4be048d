-- Which price of the ledger a sale was made at, and the rule and the run that set it. The ledger is only added to, so what
-- is copied from it stays true. 'earlier': there was no price in the ledger yet.
ALTER TABLE sales_history ADD COLUMN price_history_id bigint;
ALTER TABLE sales_history ADD COLUMN price_source text;
ALTER TABLE sales_history ADD COLUMN rule_id bigint;
ALTER TABLE sales_history ADD COLUMN run_id bigint;
ALTER TABLE sales_history ADD CONSTRAINT price_source_known
  CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'import', 'observed', 'earlier'));
CREATE INDEX sales_history_rule_idx ON sales_history (rule_id, sale_date) WHERE rule_id is not null;
CREATE INDEX sales_history_run_idx ON sales_history (run_id) WHERE run_id is not null;

-- Sums of a day by what set the price; without a source: what has no sale.
ALTER TABLE profit_days ADD COLUMN price_source text;
ALTER TABLE profit_days ADD COLUMN rule_id bigint;
ALTER TABLE profit_days ADD COLUMN run_id bigint;
ALTER TABLE profit_days ADD CONSTRAINT price_source_known
  CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'import', 'observed', 'earlier'));
ALTER TABLE profit_days DROP CONSTRAINT profit_days_listing_id_day_pk;
ALTER TABLE profit_days ADD CONSTRAINT profit_days_key UNIQUE NULLS NOT DISTINCT (listing_id, day, price_source, rule_id, run_id);
CREATE INDEX profit_days_run_idx ON profit_days (run_id) WHERE run_id is not null;

-- Sales until now, in batches.
SELECT mark_sales_due(array_agg(listing_id), array_agg(since))
FROM (SELECT listing_id, min(sale_date) AS since FROM sales_history GROUP BY listing_id) sold;
