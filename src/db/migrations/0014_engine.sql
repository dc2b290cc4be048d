-- What the circuit breaker compares, the plan a person looked at, and the release that decided last.

ALTER TABLE repricing_runs ADD COLUMN may_change integer DEFAULT 0 NOT NULL;
ALTER TABLE repricing_runs ADD CONSTRAINT may_change_range CHECK (may_change between 0 and 2147483647);
ALTER TABLE repricing_runs ADD COLUMN competitive integer DEFAULT 0 NOT NULL;
ALTER TABLE repricing_runs ADD CONSTRAINT competitive_range CHECK (competitive between 0 and 2147483647);
ALTER TABLE repricing_runs ADD COLUMN newly_blocked integer DEFAULT 0 NOT NULL;
ALTER TABLE repricing_runs ADD CONSTRAINT newly_blocked_range CHECK (newly_blocked between 0 and 2147483647);
ALTER TABLE repricing_runs ADD COLUMN plan jsonb;

ALTER TABLE engine_switch ADD COLUMN looked_plan text;
ALTER TABLE engine_switch ADD COLUMN looked_at timestamptz(3);
ALTER TABLE engine_switch ADD COLUMN looked_by text;
ALTER TABLE engine_switch ADD COLUMN release text;

-- It joins the rows before and after an update, a thousand of each. move_prices, which calls it, has hash joins off, and
-- a nested loop over both would cost a million comparisons.
ALTER FUNCTION edited_listings_are_due() SET enable_hashjoin = on;
ALTER FUNCTION edited_listings_are_due() SET enable_nestloop = off;
