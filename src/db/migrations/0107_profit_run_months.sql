-- By marketplace, month and run, as profit_totals are by day and rule.
CREATE TABLE profit_run_months (
  month date NOT NULL,
  marketplace text NOT NULL,
  price_source text,
  run_id bigint,
  sums integer NOT NULL,
  sales integer NOT NULL,
  sales_known integer NOT NULL,
  sales_told integer NOT NULL,
  units integer NOT NULL,
  revenue numeric(20, 2) NOT NULL,
  revenue_known numeric(20, 2) NOT NULL,
  fees numeric(20, 2) NOT NULL,
  fees_sums integer NOT NULL,
  ads numeric(20, 2) NOT NULL,
  ads_sums integer NOT NULL,
  cost numeric(20, 2) NOT NULL,
  cost_sums integer NOT NULL,
  shipping numeric(20, 2) NOT NULL,
  shipping_sums integer NOT NULL,
  refunds numeric(20, 2) NOT NULL,
  refunds_sums integer NOT NULL,
  profit numeric(20, 2) NOT NULL,
  profit_sums integer NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT sums_range CHECK (sums between 1 and 2147483647),
  CONSTRAINT sales_range CHECK (sales between 0 and 2147483647),
  CONSTRAINT sales_known_range CHECK (sales_known between 0 and 2147483647),
  CONSTRAINT sales_told_range CHECK (sales_told between 0 and 2147483647),
  CONSTRAINT units_range CHECK (units between 0 and 2147483647),
  CONSTRAINT revenue_range CHECK (revenue between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT revenue_known_range CHECK (revenue_known between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT fees_range CHECK (fees between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT fees_sums_range CHECK (fees_sums between 0 and 2147483647),
  CONSTRAINT ads_range CHECK (ads between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT ads_sums_range CHECK (ads_sums between 0 and 2147483647),
  CONSTRAINT cost_range CHECK (cost between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT cost_sums_range CHECK (cost_sums between 0 and 2147483647),
  CONSTRAINT shipping_range CHECK (shipping between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT shipping_sums_range CHECK (shipping_sums between 0 and 2147483647),
  CONSTRAINT refunds_range CHECK (refunds between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT refunds_sums_range CHECK (refunds_sums between 0 and 2147483647),
  CONSTRAINT profit_range CHECK (profit between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT profit_sums_range CHECK (profit_sums between 0 and 2147483647),
  CONSTRAINT price_source_known CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'import', 'observed', 'earlier'))
);
CREATE UNIQUE INDEX profit_run_months_key ON profit_run_months (month, marketplace, coalesce(price_source, ''), coalesce(run_id, 0));

-- As in 0100, and by run.
CREATE OR REPLACE FUNCTION add_to_profit_totals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := TG_ARGV[0];
BEGIN
  PERFORM pg_advisory_xact_lock(1886549876, 0); -- "prwt" in ASCII
  MERGE INTO profit_months m USING (
    SELECT date_trunc('month', day)::date AS month, listing_id, sign * count(*) AS sums, sign * count(profit) AS profit_sums,
      sign * sum(sales) AS sales, sign * sum(units) AS units, sign * sum(revenue) AS revenue,
      sign * sum(revenue_known) AS revenue_known, sign * coalesce(sum(profit), 0) AS profit
    FROM changed WHERE listing_id IS NOT NULL GROUP BY 1, 2) c
  ON m.month = c.month AND m.listing_id = c.listing_id
  WHEN MATCHED AND m.sums + c.sums = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET sums = m.sums + c.sums, profit_sums = m.profit_sums + c.profit_sums, sales = m.sales + c.sales,
    units = m.units + c.units, revenue = m.revenue + c.revenue, revenue_known = m.revenue_known + c.revenue_known,
    profit = m.profit + c.profit
  WHEN NOT MATCHED THEN INSERT (month, listing_id, sums, profit_sums, sales, units, revenue, revenue_known, profit)
    VALUES (c.month, c.listing_id, c.sums, c.profit_sums, c.sales, c.units, c.revenue, c.revenue_known, c.profit);
  MERGE INTO profit_totals t USING (
    SELECT p.day, p.marketplace, p.price_source, p.rule_id, sign * count(*) AS sums, sign * sum(p.sales) AS sales, sign * sum(p.sales_known) AS sales_known,
      sign * sum(p.sales_told) AS sales_told, sign * sum(p.units) AS units, sign * sum(p.revenue) AS revenue,
      sign * sum(p.revenue_known) AS revenue_known,
      sign * coalesce(sum(p.fees), 0) AS fees, sign * count(p.fees) AS fees_sums,
      sign * coalesce(sum(p.ads), 0) AS ads, sign * count(p.ads) AS ads_sums,
      sign * coalesce(sum(p.cost), 0) AS cost, sign * count(p.cost) AS cost_sums,
      sign * coalesce(sum(p.shipping), 0) AS shipping, sign * count(p.shipping) AS shipping_sums,
      sign * coalesce(sum(p.refunds), 0) AS refunds, sign * count(p.refunds) AS refunds_sums,
      sign * coalesce(sum(p.profit), 0) AS profit, sign * count(p.profit) AS profit_sums
    FROM changed p GROUP BY 1, 2, 3, 4) c
  ON t.day = c.day AND t.marketplace = c.marketplace AND t.price_source IS NOT DISTINCT FROM c.price_source
    AND t.rule_id IS NOT DISTINCT FROM c.rule_id
  WHEN MATCHED AND t.sums + c.sums = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET sums = t.sums + c.sums, sales = t.sales + c.sales, sales_known = t.sales_known + c.sales_known,
    sales_told = t.sales_told + c.sales_told, units = t.units + c.units, revenue = t.revenue + c.revenue,
    revenue_known = t.revenue_known + c.revenue_known, fees = t.fees + c.fees, fees_sums = t.fees_sums + c.fees_sums,
    ads = t.ads + c.ads, ads_sums = t.ads_sums + c.ads_sums, cost = t.cost + c.cost, cost_sums = t.cost_sums + c.cost_sums,
    shipping = t.shipping + c.shipping, shipping_sums = t.shipping_sums + c.shipping_sums,
    refunds = t.refunds + c.refunds, refunds_sums = t.refunds_sums + c.refunds_sums,
    profit = t.profit + c.profit, profit_sums = t.profit_sums + c.profit_sums
  WHEN NOT MATCHED THEN INSERT (day, marketplace, price_source, rule_id, sums, sales, sales_known, sales_told, units, revenue, revenue_known, fees,
      fees_sums, ads, ads_sums, cost, cost_sums, shipping, shipping_sums, refunds, refunds_sums, profit, profit_sums)
    VALUES (c.day, c.marketplace, c.price_source, c.rule_id, c.sums, c.sales, c.sales_known, c.sales_told, c.units, c.revenue, c.revenue_known, c.fees,
      c.fees_sums, c.ads, c.ads_sums, c.cost, c.cost_sums, c.shipping, c.shipping_sums, c.refunds, c.refunds_sums, c.profit,
      c.profit_sums);
  MERGE INTO profit_run_months t USING (
    SELECT date_trunc('month', p.day)::date AS month, p.marketplace, p.price_source, p.run_id, sign * count(*) AS sums, sign * sum(p.sales) AS sales, sign * sum(p.sales_known) AS sales_known,
      sign * sum(p.sales_told) AS sales_told, sign * sum(p.units) AS units, sign * sum(p.revenue) AS revenue,
      sign * sum(p.revenue_known) AS revenue_known,
      sign * coalesce(sum(p.fees), 0) AS fees, sign * count(p.fees) AS fees_sums,
      sign * coalesce(sum(p.ads), 0) AS ads, sign * count(p.ads) AS ads_sums,
      sign * coalesce(sum(p.cost), 0) AS cost, sign * count(p.cost) AS cost_sums,
      sign * coalesce(sum(p.shipping), 0) AS shipping, sign * count(p.shipping) AS shipping_sums,
      sign * coalesce(sum(p.refunds), 0) AS refunds, sign * count(p.refunds) AS refunds_sums,
      sign * coalesce(sum(p.profit), 0) AS profit, sign * count(p.profit) AS profit_sums
    FROM changed p GROUP BY 1, 2, 3, 4) c
  ON t.month = c.month AND t.marketplace = c.marketplace AND coalesce(t.price_source, '') = coalesce(c.price_source, '')
    AND coalesce(t.run_id, 0) = coalesce(c.run_id, 0)
  WHEN MATCHED AND t.sums + c.sums = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET sums = t.sums + c.sums, sales = t.sales + c.sales, sales_known = t.sales_known + c.sales_known,
    sales_told = t.sales_told + c.sales_told, units = t.units + c.units, revenue = t.revenue + c.revenue,
    revenue_known = t.revenue_known + c.revenue_known, fees = t.fees + c.fees, fees_sums = t.fees_sums + c.fees_sums,
    ads = t.ads + c.ads, ads_sums = t.ads_sums + c.ads_sums, cost = t.cost + c.cost, cost_sums = t.cost_sums + c.cost_sums,
    shipping = t.shipping + c.shipping, shipping_sums = t.shipping_sums + c.shipping_sums,
    refunds = t.refunds + c.refunds, refunds_sums = t.refunds_sums + c.refunds_sums,
    profit = t.profit + c.profit, profit_sums = t.profit_sums + c.profit_sums
  WHEN NOT MATCHED THEN INSERT (month, marketplace, price_source, run_id, sums, sales, sales_known, sales_told, units, revenue, revenue_known, fees,
      fees_sums, ads, ads_sums, cost, cost_sums, shipping, shipping_sums, refunds, refunds_sums, profit, profit_sums)
    VALUES (c.month, c.marketplace, c.price_source, c.run_id, c.sums, c.sales, c.sales_known, c.sales_told, c.units, c.revenue, c.revenue_known, c.fees,
      c.fees_sums, c.ads, c.ads_sums, c.cost, c.cost_sums, c.shipping, c.shipping_sums, c.refunds, c.refunds_sums, c.profit,
      c.profit_sums);
  RETURN NULL;
END
$$;

INSERT INTO profit_run_months (month, marketplace, price_source, run_id, sums, sales, sales_known, sales_told, units, revenue, revenue_known, fees, fees_sums,
  ads, ads_sums, cost, cost_sums, shipping, shipping_sums, refunds, refunds_sums, profit, profit_sums)
SELECT date_trunc('month', p.day)::date, p.marketplace, p.price_source, p.run_id, count(*), sum(p.sales), sum(p.sales_known), sum(p.sales_told), sum(p.units), sum(p.revenue),
  sum(p.revenue_known), coalesce(sum(p.fees), 0), count(p.fees), coalesce(sum(p.ads), 0), count(p.ads),
  coalesce(sum(p.cost), 0), count(p.cost), coalesce(sum(p.shipping), 0), count(p.shipping),
  coalesce(sum(p.refunds), 0), count(p.refunds), coalesce(sum(p.profit), 0), count(p.profit)
FROM profit_days p GROUP BY 1, 2, 3, 4;
