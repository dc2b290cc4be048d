-- Runs without effect are deleted after a while, and each foreign key to them is then looked up.

-- The run that a listing's last decision names is held by its item in run_items, which stays as long as it is the last.
-- Without an index of its own this key would read all metrics for every run; with one, every decision would pay for it.
ALTER TABLE listing_metrics DROP CONSTRAINT listing_metrics_run_id_repricing_runs_id_fk;

CREATE INDEX price_intents_run_id_idx ON price_intents (run_id) WHERE run_id is not null;
CREATE INDEX repricing_runs_undoes_run_id_idx ON repricing_runs (undoes_run_id) WHERE undoes_run_id is not null;
