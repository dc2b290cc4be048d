-- What is decided about applies to prices from now, and to the sales since it was told; what was told on the first day also to
-- sales of the 60 days before, like the answers themselves.
CREATE OR REPLACE FUNCTION decided_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(DISTINCT d.listing_id) FROM decided d JOIN listings l ON l.id = d.listing_id
    WHERE l.deleted_at IS NULL), 'fees');
  PERFORM mark_sales_due(array_agg(d.listing_id), array_agg(CASE WHEN EXISTS (SELECT FROM fee_facts f
      WHERE f.listing_id = d.listing_id AND f.told_at < date_trunc('day', d.told_at, 'UTC') AND f.refused_because IS NULL)
    THEN d.told_at ELSE d.told_at - interval '60 days' END))
  FROM decided d;
  RETURN NULL;
END
$$;
