-- External edits of a price outside of the allowed prices: what became of them, and what a user decided about it.
CREATE TABLE external_edits (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  marketplace text NOT NULL,
  found_at timestamp(3) with time zone NOT NULL,
  price numeric(10, 2) NOT NULL,
  price_before numeric(10, 2) NOT NULL,
  problem text NOT NULL,
  unrepaired_because text,
  repair_price numeric(10, 2) NOT NULL,
  decision text,
  decided_at timestamp(3) with time zone,
  decided_by text,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT price_before_range CHECK (price_before between 0.01 and 99999999.99),
  CONSTRAINT problem_known CHECK (problem in ('loses_money', 'below_floor', 'above_ceiling')),
  CONSTRAINT unrepaired_because_known CHECK (unrepaired_because in ('policy', 'repeated', 'left', 'doubtful', 'not_automatic', 'too_many')),
  CONSTRAINT repair_price_range CHECK (repair_price between 0.01 and 99999999.99),
  CONSTRAINT decision_known CHECK (decision in ('left', 'repaired')),
  CONSTRAINT decided_by_filled CHECK (char_length(btrim(decided_by)) between 1 and 200),
  CONSTRAINT decision_has_time CHECK ((decision is null) = (decided_at is null))
);
ALTER TABLE external_edits ADD CONSTRAINT external_edits_listing_id_listings_id_fk
  FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE RESTRICT;
CREATE INDEX external_edits_listing_idx ON external_edits (listing_id, id);
CREATE INDEX external_edits_open_idx ON external_edits (found_at, marketplace) WHERE decision is null;

-- What happens to an external edit below the lowest allowed price.
ALTER TABLE marketplace_modes ADD COLUMN external_edits text DEFAULT 'repair_loss' NOT NULL;
ALTER TABLE marketplace_modes ADD CONSTRAINT external_edits_known CHECK (external_edits in ('repair_loss', 'repair_floor', 'hold'));
ALTER TABLE marketplace_modes DROP CONSTRAINT reset_reason_known;
ALTER TABLE marketplace_modes ADD CONSTRAINT reset_reason_known CHECK (reset_reason in ('connected', 'account', 'external_edits'));

-- The source of a price that undoes an external edit.
ALTER TABLE price_history DROP CONSTRAINT source_known;
ALTER TABLE price_history ADD CONSTRAINT source_known CHECK (source in ('rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed'));
ALTER TABLE price_intents DROP CONSTRAINT source_known;
ALTER TABLE price_intents ADD CONSTRAINT source_known CHECK (source in ('rule', 'person', 'apply', 'undo', 'repair'));
ALTER TABLE sales_history DROP CONSTRAINT price_source_known;
ALTER TABLE sales_history ADD CONSTRAINT price_source_known CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed', 'earlier'));
ALTER TABLE profit_days DROP CONSTRAINT price_source_known;
ALTER TABLE profit_days ADD CONSTRAINT price_source_known CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed', 'earlier'));
ALTER TABLE profit_totals DROP CONSTRAINT price_source_known;
ALTER TABLE profit_totals ADD CONSTRAINT price_source_known CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed', 'earlier'));
ALTER TABLE profit_run_months DROP CONSTRAINT price_source_known;
ALTER TABLE profit_run_months ADD CONSTRAINT price_source_known CHECK (price_source in ('rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed', 'earlier'));

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'external_edit', 'unknown', 'refused', 'sending_paused', 'connection', 'credentials', 'fee_breaker', 'fee_drift', 'lowered_floors', 'hidden_clients', 'below_floor', 'rule_inactive'));
