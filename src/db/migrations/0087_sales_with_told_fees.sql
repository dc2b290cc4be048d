-- What is told of fees applies to sales from then on; what is told on the first day also to sales of the 60 days before.
CREATE FUNCTION sales_of_told_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(t.listing_id), array_agg(CASE WHEN EXISTS (SELECT FROM fee_facts f
      WHERE f.listing_id = t.listing_id AND f.told_at < date_trunc('day', t.told_at, 'UTC') AND f.refused_because IS NULL)
    THEN t.told_at ELSE t.told_at - interval '60 days' END))
  FROM told t WHERE t.refused_because IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER fee_facts_sales_due AFTER INSERT ON fee_facts REFERENCING NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION sales_of_told_fees_are_due();

-- Until now the sales of these listings were estimated from fee schedules alone.
SELECT mark_sales_due(array_agg(listing_id), array_agg(first_told - interval '60 days'))
FROM (SELECT listing_id, min(told_at) AS first_told FROM fee_facts WHERE refused_because IS NULL GROUP BY listing_id) facts;
