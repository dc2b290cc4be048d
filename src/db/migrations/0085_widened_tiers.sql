-- A tier that is new or widened is the first one for some weights: it applies to their sales since ever, and leaves
-- those that had a tier as they are.
CREATE OR REPLACE FUNCTION sales_of_tiers_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(l.id), array_agg(c.since)) FROM listings l
  JOIN (SELECT marketplace,
      CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE min(coalesce(effective_from, timestamptz '1970-01-01 00:00:00Z')) END AS since
    FROM changed GROUP BY marketplace) c ON c.marketplace = l.marketplace;
  RETURN NULL;
END
$$;
