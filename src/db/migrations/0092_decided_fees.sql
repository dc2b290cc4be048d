-- An administrator accepts a lower fee before it is told again, or one out of range, or rejects it.
ALTER TABLE fee_facts ADD COLUMN accepted_at timestamptz(3);
ALTER TABLE fee_facts ADD CONSTRAINT accepted_is_used CHECK (accepted_at is null or refused_because is null);
ALTER TABLE fee_facts DROP CONSTRAINT refused_because_known;
ALTER TABLE fee_facts ADD CONSTRAINT refused_because_known CHECK (refused_because in ('currency', 'negative', 'unreadable', 'other_question', 'wrong_total', 'above_revenue', 'no_commission', 'no_fulfillment', 'out_of_range', 'rejected'));

-- What was decided about applies to prices from now, and to the sales since it was told.
CREATE FUNCTION decided_fees_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(DISTINCT d.listing_id) FROM decided d JOIN listings l ON l.id = d.listing_id
    WHERE l.deleted_at IS NULL), 'fees');
  PERFORM mark_sales_due(array_agg(listing_id), array_agg(told_at)) FROM decided;
  RETURN NULL;
END
$$;
CREATE TRIGGER fee_facts_decided AFTER UPDATE ON fee_facts REFERENCING NEW TABLE AS decided
  FOR EACH STATEMENT EXECUTE FUNCTION decided_fees_are_due();
