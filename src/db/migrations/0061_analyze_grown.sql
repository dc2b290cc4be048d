-- Only the owner of a table may have it analyzed, and imports run as a role that owns nothing. This lends them that
-- right, for tables that have at least doubled since the planner looked, and are larger than so many bytes.

CREATE FUNCTION analyze_grown(tables regclass[], worth_it bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  grown text;
BEGIN
  SELECT string_agg(oid::regclass::text, ', ') INTO grown FROM pg_class
  WHERE oid = ANY(tables)
    AND pg_relation_size(oid) > greatest(2 * relpages * current_setting('block_size')::bigint, worth_it);
  -- One that is being analyzed already is passed over.
  IF grown IS NOT NULL THEN
    EXECUTE 'ANALYZE (SKIP_LOCKED) ' || grown;
  END IF;
END
$$;
