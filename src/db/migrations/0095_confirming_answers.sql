-- A lower fee counts when it is told again a day after it was told first: a fee is decided with unless both answers before it
-- to the same question were the same, a day apart. Two within a day may leave it to this one to confirm.
CREATE OR REPLACE FUNCTION told_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(DISTINCT t.listing_id) FROM told t JOIN listings l ON l.id = t.listing_id
    WHERE t.refused_because IS NULL AND l.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM (SELECT f.asked_price, f.asked_shipping, f.fulfillment_type, f.amount, f.told_at FROM fee_facts f
          WHERE f.listing_id = t.listing_id AND f.told_at < t.told_at AND f.kind = t.kind AND f.name IS NOT DISTINCT FROM t.name
            AND f.refused_because IS NULL
          ORDER BY f.told_at DESC LIMIT 2) last_two
        HAVING count(*) FILTER (WHERE (asked_price, asked_shipping, fulfillment_type, amount)
            = (t.asked_price, t.asked_shipping, t.fulfillment_type, t.amount)) = 2
          AND max(told_at) - min(told_at) >= interval '24 hours')
  ), 'fees');
  RETURN NULL;
END
$$;
