-- What a buyer paid for an order that the marketplace did not name is in no sum: the days that had it are made again.
SELECT mark_profit_due(array_agg(listing_id), array_agg(posted_at)) FROM money_events
WHERE listing_id IS NOT NULL AND superseded_by IS NULL AND order_ref IS NULL AND line_ref IS NULL
  AND kind IN ('principal', 'shipping', 'discount', 'funded');
SELECT mark_unlisted_due(array_agg(marketplace), array_agg(posted_at)) FROM money_events
WHERE superseded_by IS NULL AND matched_by = 'marketplace' AND order_ref IS NULL AND line_ref IS NULL
  AND kind IN ('principal', 'shipping', 'discount', 'funded');
