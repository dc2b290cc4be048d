-- Amounts of no order by their ID: those that a transaction no longer has.
CREATE INDEX money_events_orderless_idx ON money_events (marketplace, external_id COLLATE "C")
  WHERE superseded_by is null AND order_ref is null;
