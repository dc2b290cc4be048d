-- Sales of earlier releases have no order, which names most of what was booked for them: those that a first sync of sales
-- reads are read once more.
UPDATE marketplace_syncs s SET succeeded_at = NULL
WHERE s.kind = 'sales' AND EXISTS (SELECT FROM sales_history h JOIN listings l ON l.id = h.listing_id
  WHERE l.marketplace = s.marketplace AND h.order_ref IS NULL AND h.external_id IS NOT NULL AND h.external_id NOT LIKE 'demo-%'
    AND h.sale_date > s.started_at - CASE WHEN s.marketplace = 'amazon' THEN interval '60 days' ELSE interval '30 days' END);
