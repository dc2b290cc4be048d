-- What Etsy booked for a payment without saying for which order: it is asked again until it says so.
CREATE INDEX money_events_unnamed_idx ON money_events (marketplace, posted_at)
  WHERE superseded_by is null AND order_ref is null AND line_ref is null AND sku is null AND item_id is null
    AND kind in ('principal', 'tax', 'payment', 'refund_principal', 'refund_other');

-- Payments of unknown orders are read again in turn: when last, and down to which time of booking.
ALTER TABLE money_reads ADD COLUMN unnamed_read_at timestamptz(3), ADD COLUMN unnamed_read_down_to timestamptz(3),
  ADD CONSTRAINT unnamed_whole CHECK ((unnamed_read_at IS NULL) = (unnamed_read_down_to IS NULL));
