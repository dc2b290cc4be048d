-- A listing that one reading does not find may be there: only the second one, later, ends its price.
ALTER TABLE price_intents ADD COLUMN missing_since timestamp(3) with time zone;

-- As in 0136, with what one member of a price group was read as.
CREATE OR REPLACE FUNCTION settle_group_together() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE price_intents i SET state = NEW.state, sent_at = NEW.sent_at, settled_at = NEW.settled_at,
    marketplace_message = NEW.marketplace_message, is_refusal_active = NEW.is_refusal_active, receipt = NEW.receipt,
    not_before = NEW.not_before, paused_until = NEW.paused_until, expires_at = NEW.expires_at,
    next_read_at = NEW.next_read_at, reads = NEW.reads, missing_since = NEW.missing_since
  WHERE i.group_order = NEW.group_order AND i.id <> NEW.id
    AND (i.state, i.sent_at, i.settled_at, i.marketplace_message, i.is_refusal_active, i.receipt, i.not_before,
      i.paused_until, i.expires_at, i.next_read_at, i.reads, i.missing_since)
    IS DISTINCT FROM (NEW.state, NEW.sent_at, NEW.settled_at, NEW.marketplace_message, NEW.is_refusal_active, NEW.receipt,
      NEW.not_before, NEW.paused_until, NEW.expires_at, NEW.next_read_at, NEW.reads, NEW.missing_since);
  RETURN NULL;
END
$$;
