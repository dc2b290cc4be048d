-- Sums of booked amounts, so that lists and settlements need not read all of them. Kept by triggers in the transaction
-- that books.
CREATE TABLE money_sums (
  marketplace text NOT NULL,
  settlement_ref text,
  kind text NOT NULL,
  is_unmatched boolean NOT NULL,
  events integer NOT NULL,
  amount numeric(20, 2) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT kind_known CHECK (kind in ('principal', 'shipping', 'discount', 'funded', 'commission', 'closing', 'per_order', 'renewal', 'payment', 'fulfillment', 'ad', 'label', 'refund_principal', 'refund_shipping', 'refund_commission', 'refund_other', 'refund_fee', 'storage', 'reimbursement', 'tax', 'transfer', 'other')),
  CONSTRAINT settlement_ref_filled CHECK (char_length(btrim(settlement_ref)) between 1 and 200),
  CONSTRAINT events_range CHECK (events between 1 and 2147483647),
  CONSTRAINT amount_range CHECK (amount between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT money_sums_key UNIQUE NULLS NOT DISTINCT (marketplace, settlement_ref, kind, is_unmatched)
);

-- Adds the changed amounts, or takes them away; the argument is 1 or -1. The lock is the one that booking takes first.
CREATE FUNCTION add_to_money_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := TG_ARGV[0];
BEGIN
  PERFORM pg_advisory_xact_lock(1886549869, hashtext(c.marketplace)) -- "prwm" in ASCII
  FROM (SELECT DISTINCT marketplace FROM changed ORDER BY 1) c;
  MERGE INTO money_sums s USING (
    SELECT marketplace, settlement_ref, kind, matched_by IN ('sku', 'marketplace') AND kind <> 'transfer' AS is_unmatched,
      sign * count(*) AS events, sign * sum(amount) AS amount
    FROM changed WHERE superseded_by IS NULL GROUP BY 1, 2, 3, 4) c
  ON s.marketplace = c.marketplace AND s.settlement_ref IS NOT DISTINCT FROM c.settlement_ref AND s.kind = c.kind
    AND s.is_unmatched = c.is_unmatched
  WHEN MATCHED AND s.events + c.events = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET events = s.events + c.events, amount = s.amount + c.amount
  WHEN NOT MATCHED THEN INSERT (marketplace, settlement_ref, kind, is_unmatched, events, amount)
    VALUES (c.marketplace, c.settlement_ref, c.kind, c.is_unmatched, c.events, c.amount);
  RETURN NULL;
END
$$;
-- Before money_events_match, which changes what was inserted: triggers of one event fire in the order of their names.
CREATE TRIGGER money_events_added AFTER INSERT ON money_events
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_to_money_sums('1');
CREATE TRIGGER money_events_changed_from AFTER UPDATE ON money_events
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_to_money_sums('-1');
CREATE TRIGGER money_events_changed_to AFTER UPDATE ON money_events
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_to_money_sums('1');

INSERT INTO money_sums (marketplace, settlement_ref, kind, is_unmatched, events, amount)
SELECT marketplace, settlement_ref, kind, matched_by IN ('sku', 'marketplace') AND kind <> 'transfer', count(*), sum(amount)
FROM money_events WHERE superseded_by IS NULL GROUP BY 1, 2, 3, 4;

-- The newest of a marketplace or a kind.
CREATE INDEX money_events_marketplace_idx ON money_events (marketplace, posted_at DESC NULLS LAST, id DESC NULLS LAST)
  WHERE superseded_by is null;
CREATE INDEX money_events_kind_idx ON money_events (kind, posted_at DESC NULLS LAST, id DESC NULLS LAST)
  WHERE superseded_by is null;
-- As in 0086, in the order of the list.
DROP INDEX money_events_settlement_idx;
CREATE INDEX money_events_settlement_idx ON money_events (marketplace, settlement_ref, posted_at DESC NULLS LAST, id DESC NULLS LAST)
  WHERE superseded_by is null AND settlement_ref is not null;
