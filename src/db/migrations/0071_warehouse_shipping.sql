-- The fee of a marketplace's warehouse pays for sending, so a listing shipped from there needs neither tier nor weight.
SELECT mark_due((SELECT array_agg(m.listing_id) FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
  WHERE l.fulfillment_type = 'FBA/WFS' AND m.missing_facts && ARRAY['no_tier', 'no_weight'] AND l.deleted_at IS NULL), 'migration');
