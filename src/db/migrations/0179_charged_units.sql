-- What a marketplace charged for fulfilling the units of a sale: one fact for each sale, with its units, of which the median counts.
ALTER TABLE fee_facts ADD COLUMN units integer;
ALTER TABLE fee_facts ADD CONSTRAINT units_range CHECK (units between 1 and 2147483647);
ALTER TABLE fee_facts ADD CONSTRAINT units_of_charges_only
  CHECK (units is null or (source = 'settled' and kind = 'fulfillment'));
CREATE INDEX fee_facts_charges_idx ON fee_facts (listing_id, told_at)
  WHERE kind = 'fulfillment' and source = 'settled' and refused_because is null;

-- Those kept so far count as they are; one whose sale is no longer stored is of one unit.
ALTER TABLE fee_facts DISABLE TRIGGER fee_facts_decided;
UPDATE fee_facts f SET units = h.quantity_sold FROM sales_history h
WHERE h.id = f.sale_id AND f.source = 'settled' AND f.kind = 'fulfillment';
ALTER TABLE fee_facts ENABLE TRIGGER fee_facts_decided;

-- As in 0095, but every charge may move the median.
CREATE OR REPLACE FUNCTION told_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(DISTINCT t.listing_id) FROM told t JOIN listings l ON l.id = t.listing_id
    WHERE t.refused_because IS NULL AND l.deleted_at IS NULL
      AND (t.units IS NOT NULL OR NOT EXISTS (
        SELECT FROM (SELECT f.asked_price, f.asked_shipping, f.fulfillment_type, f.amount, f.told_at FROM fee_facts f
          WHERE f.listing_id = t.listing_id AND f.told_at < t.told_at AND f.kind = t.kind AND f.name IS NOT DISTINCT FROM t.name
            AND f.refused_because IS NULL
          ORDER BY f.told_at DESC LIMIT 2) last_two
        HAVING count(*) FILTER (WHERE (asked_price, asked_shipping, fulfillment_type, amount)
            = (t.asked_price, t.asked_shipping, t.fulfillment_type, t.amount)) = 2
          AND max(told_at) - min(told_at) >= interval '24 hours'))
  ), 'fees');
  RETURN NULL;
END
$$;

-- As in 0087 and 0096, but a charge is no first answer, and applies to no sale before it.
CREATE OR REPLACE FUNCTION sales_of_told_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_sales_due(array_agg(t.listing_id), array_agg(CASE WHEN t.units IS NOT NULL OR EXISTS (SELECT FROM fee_facts f
      WHERE f.listing_id = t.listing_id AND f.told_at < date_trunc('day', t.told_at, 'UTC') AND f.refused_because IS NULL
        AND f.units IS NULL)
    THEN t.told_at ELSE t.told_at - interval '60 days' END))
  FROM told t WHERE t.refused_because IS NULL;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION decided_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(DISTINCT d.listing_id) FROM decided d JOIN listings l ON l.id = d.listing_id
    WHERE l.deleted_at IS NULL), 'fees');
  PERFORM mark_sales_due(array_agg(d.listing_id), array_agg(CASE WHEN d.units IS NOT NULL OR EXISTS (SELECT FROM fee_facts f
      WHERE f.listing_id = d.listing_id AND f.told_at < date_trunc('day', d.told_at, 'UTC') AND f.refused_because IS NULL
        AND f.units IS NULL)
    THEN d.told_at ELSE d.told_at - interval '60 days' END))
  FROM decided d;
  RETURN NULL;
END
$$;

-- Of the sales that may count some charges were not kept: they are calculated again, where no answer comes before them.
INSERT INTO sale_money_due (sale_id)
SELECT h.id FROM sales_history h JOIN listings l ON l.id = h.listing_id
WHERE h.money_state = 'told' AND l.marketplace IN ('amazon', 'walmart') AND l.fulfillment_type = 'FBA/WFS'
  AND h.sale_date > now() - interval '130 days'
  AND NOT EXISTS (SELECT FROM fee_facts f WHERE f.listing_id = l.id AND f.kind = 'fulfillment' AND f.source = 'estimate'
    AND f.refused_because IS NULL)
ON CONFLICT (sale_id) DO NOTHING;
