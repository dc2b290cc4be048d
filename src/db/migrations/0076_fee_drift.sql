-- A commission that the marketplace told and that of the fee schedule, where they differ, as of the last decision.
ALTER TABLE listing_metrics ADD COLUMN told_rate numeric(5, 2);
ALTER TABLE listing_metrics ADD COLUMN scheduled_rate numeric(5, 2);
ALTER TABLE listing_metrics ADD CONSTRAINT told_rate_range CHECK (told_rate between 0 and 100);
ALTER TABLE listing_metrics ADD CONSTRAINT scheduled_rate_range CHECK (scheduled_rate between 0 and 100);
CREATE INDEX listing_metrics_told_rate_idx ON listing_metrics (told_rate, scheduled_rate) WHERE told_rate is not null;

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'unknown', 'refused', 'connection', 'credentials', 'fee_drift', 'lowered_floors', 'hidden_clients', 'below_floor', 'rule_inactive'));

-- Decisions read the facts of a listing by time, and of all kinds.
DROP INDEX fee_facts_listing_idx;
CREATE INDEX fee_facts_listing_idx ON fee_facts (listing_id, told_at);

-- A fee is decided with at once, unless the answer before it to the same question was the same.
CREATE FUNCTION told_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(DISTINCT t.listing_id) FROM told t JOIN listings l ON l.id = t.listing_id
    WHERE t.refused_because IS NULL AND l.deleted_at IS NULL AND (t.asked_price, t.asked_shipping, t.fulfillment_type, t.amount)
      IS DISTINCT FROM (SELECT (f.asked_price, f.asked_shipping, f.fulfillment_type, f.amount) FROM fee_facts f
        WHERE f.listing_id = t.listing_id AND f.told_at < t.told_at AND f.kind = t.kind AND f.name IS NOT DISTINCT FROM t.name
          AND f.refused_because IS NULL
        ORDER BY f.told_at DESC LIMIT 1)
  ), 'fees');
  RETURN NULL;
END
$$;
CREATE TRIGGER fee_facts_due AFTER INSERT ON fee_facts REFERENCING NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION told_fees_are_due();
