-- A rule that is saved as previewed counts as reviewed for its price changes alone; going live and resuming for the whole run.
ALTER TABLE repricing_state ADD COLUMN reviewed_scope text
  CONSTRAINT reviewed_scope_known CHECK (reviewed_scope in ('store', 'rule'));
UPDATE repricing_state SET reviewed_scope = 'store' WHERE reviewed_plan IS NOT NULL;
