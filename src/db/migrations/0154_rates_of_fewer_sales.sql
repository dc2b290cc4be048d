-- As in 0128, with as many sales of a category as a decision reads: 2,000 of each took seconds for a batch of many categories.
CREATE OR REPLACE FUNCTION fees_of_categories_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    WITH fresh AS (
      SELECT t.id, l.marketplace, t.category_told, t.told_at, coalesce(t.fee_base, t.asked_price + t.asked_shipping) AS base, t.amount
      FROM told t JOIN listings l ON l.id = t.listing_id
      WHERE t.category_told IS NOT NULL AND t.kind = 'commission' AND t.refused_because IS NULL
    ), rates AS MATERIALIZED (
      SELECT marketplace, category_told, round(amount / base, 3) AS rate, count(*) AS sales, min(base) AS lowest, max(base) AS highest
      FROM fresh GROUP BY 1, 2, 3
    ), known AS MATERIALIZED (
      SELECT c.marketplace, c.category_told, f.* FROM (
        SELECT marketplace, category_told, max(told_at) AS newest FROM fresh GROUP BY 1, 2) c
      CROSS JOIN LATERAL (
        SELECT coalesce(s.fee_base, s.asked_price + s.asked_shipping) AS base, s.amount
        FROM fee_facts s JOIN listings l ON l.id = s.listing_id AND l.marketplace = c.marketplace
        WHERE s.category_told = c.category_told AND s.kind = 'commission' AND s.refused_because IS NULL
          AND s.told_at > c.newest - interval '60 days' AND s.id < (SELECT min(id) FROM fresh)
        ORDER BY s.told_at DESC LIMIT 200) f
    ), news AS MATERIALIZED (
      -- The rate is rounded, and so was each amount.
      SELECT DISTINCT r.marketplace, r.category_told FROM rates r LEFT JOIN known k
        ON (k.marketplace, k.category_told) = (r.marketplace, r.category_told)
        AND abs(k.amount - r.rate * k.base) <= 0.01 + 0.0005 * k.base
      GROUP BY r.marketplace, r.category_told, r.rate, r.sales, r.lowest, r.highest
      HAVING r.sales + count(k.base) >= 2
        AND NOT coalesce(count(k.base) >= 2 AND min(k.base) <= r.lowest AND max(k.base) >= r.highest, false)
    )
    SELECT array_agg(DISTINCT s.listing_id) FROM news JOIN fee_facts s ON s.category_told = news.category_told
    JOIN listings l ON l.id = s.listing_id AND l.marketplace = news.marketplace AND l.deleted_at IS NULL
  ), 'fees');
  RETURN NULL;
END
$$;
