-- What is taken of sales by a category counts for the other listings charged by it once two sales agree: all of them are due when
-- a fee that agrees with another one is new, or is taken at a price beyond those of the newest 2 000 fees that agree with it.
CREATE FUNCTION fees_of_categories_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH fresh AS (
      SELECT t.id, l.marketplace, t.category_told, t.told_at, coalesce(t.fee_base, t.asked_price + t.asked_shipping) AS base, t.amount
      FROM told t JOIN listings l ON l.id = t.listing_id
      WHERE t.category_told IS NOT NULL AND t.kind = 'commission' AND t.refused_because IS NULL
    ), known AS MATERIALIZED (
      SELECT c.marketplace, c.category_told, f.* FROM (
        SELECT marketplace, category_told, max(told_at) AS newest FROM fresh GROUP BY marketplace, category_told) c
      CROSS JOIN LATERAL (
        SELECT s.id, coalesce(s.fee_base, s.asked_price + s.asked_shipping) AS base, s.amount
        FROM fee_facts s JOIN listings l ON l.id = s.listing_id AND l.marketplace = c.marketplace
        WHERE s.category_told = c.category_told AND s.kind = 'commission' AND s.refused_because IS NULL
          AND s.told_at > c.newest - interval '60 days'
        ORDER BY s.told_at DESC LIMIT 2000) f
    ), agreeing AS (
      -- One percentage rounds to both amounts, half a cent more or less.
      SELECT n.id, n.marketplace, n.category_told, n.base, k.base AS known_base, k.id < (SELECT min(id) FROM fresh) AS is_earlier
      FROM fresh n JOIN known k ON (k.marketplace, k.category_told) = (n.marketplace, n.category_told) AND k.id <> n.id
        AND (n.amount - 0.005) * k.base <= (k.amount + 0.005) * n.base
        AND (k.amount - 0.005) * n.base <= (n.amount + 0.005) * k.base
    ), news AS (
      SELECT DISTINCT marketplace, category_told FROM (
        SELECT marketplace, category_told FROM agreeing GROUP BY id, marketplace, category_told, base
        HAVING NOT coalesce(count(*) FILTER (WHERE is_earlier) >= 2
          AND min(known_base) FILTER (WHERE is_earlier) <= base AND max(known_base) FILTER (WHERE is_earlier) >= base, false)) new_rates
    )
    SELECT array_agg(DISTINCT s.listing_id) FROM news JOIN fee_facts s ON s.category_told = news.category_told
    JOIN listings l ON l.id = s.listing_id AND l.marketplace = news.marketplace AND l.deleted_at IS NULL
  ), 'fees');
  RETURN NULL;
END
$$;
CREATE TRIGGER fee_facts_category_due AFTER INSERT ON fee_facts REFERENCING NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION fees_of_categories_are_due();
