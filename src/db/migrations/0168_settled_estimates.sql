-- A fee that was estimated and did not come with the settled commission of its sale was not charged: sales that still have one
-- are calculated again.
INSERT INTO sale_money_due (sale_id)
SELECT h.id FROM sales_history h JOIN listings l ON l.id = h.listing_id
WHERE h.money_state = 'told' AND h.is_about AND l.marketplace IN ('amazon', 'walmart', 'ebay')
ON CONFLICT (sale_id) DO NOTHING;

-- Shopify's orders of the last 30 days are read once more: lines of large refunds, shipping with tips, fees of canceled orders.
UPDATE marketplace_syncs SET succeeded_at = NULL WHERE marketplace = 'shopify' AND kind = 'sales';
UPDATE money_reads SET read_until = greatest(read_from, read_until - interval '30 days') WHERE marketplace = 'shopify';
