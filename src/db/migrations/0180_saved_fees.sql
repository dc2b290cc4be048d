-- What a promotion took off a fee of a sale on Amazon was booked without saying so, and lowered what counts next time.
UPDATE money_events SET fee_saved = amount
WHERE marketplace = 'amazon' AND kind IN ('commission', 'fulfillment') AND amount > 0 AND fee_saved IS NULL
  AND superseded_by IS NULL AND raw_type LIKE '%> Promo';

-- Charges with a promotion, above the revenue, or of several listings are others now: the sales that may count are calculated
-- again, where no answer comes before them.
INSERT INTO sale_money_due (sale_id)
SELECT h.id FROM sales_history h JOIN listings l ON l.id = h.listing_id
WHERE h.money_state = 'told' AND l.marketplace IN ('amazon', 'walmart') AND l.fulfillment_type = 'FBA/WFS'
  AND h.sale_date > now() - interval '180 days'
  AND NOT EXISTS (SELECT FROM fee_facts f WHERE f.listing_id = l.id AND f.kind = 'fulfillment' AND f.source = 'estimate'
    AND f.refused_because IS NULL)
ON CONFLICT (sale_id) DO NOTHING;
