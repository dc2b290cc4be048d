-- Why a run began, what an alert is about and which steps of the setup are done, by the words of the documentation.

ALTER TABLE setup_flags DROP CONSTRAINT name_known;
UPDATE setup_flags SET name = 'plan_reviewed' WHERE name = 'looked';
ALTER TABLE setup_flags ADD CONSTRAINT name_known CHECK (name in ('fees_checked', 'plan_reviewed', 'setup_dismissed', 'demo'));

ALTER TABLE alerts DROP CONSTRAINT kind_known;
UPDATE alerts SET kind = CASE kind WHEN 'disarmed' THEN 'mode_reset' WHEN 'stuck' THEN 'sending_stuck' ELSE 'rule_inactive' END
  WHERE kind IN ('disarmed', 'stuck', 'idle_rule');
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'unknown', 'refused', 'connection', 'credentials', 'lowered_floors', 'hidden_clients', 'below_floor', 'rule_inactive'));

ALTER TABLE repricing_runs DROP CONSTRAINT trigger_known;
DROP INDEX repricing_runs_one_running;
-- In batches, for installations of many years.
DO $$
DECLARE
  batch CONSTANT bigint := 10000;
  last bigint := coalesce((SELECT max(id) FROM repricing_runs), 0);
BEGIN
  FOR start IN 0..last BY batch LOOP
    UPDATE repricing_runs
      SET trigger = CASE trigger WHEN 'due' THEN 'data_change' WHEN 'sweep' THEN 'full_check' ELSE 'manual' END
      WHERE id > start AND id <= start + batch AND trigger IN ('due', 'sweep', 'person');
  END LOOP;
END
$$;
ALTER TABLE repricing_runs ADD CONSTRAINT trigger_known CHECK (trigger in ('data_change', 'full_check', 'manual', 'apply', 'undo'));
CREATE UNIQUE INDEX repricing_runs_one_running ON repricing_runs (state)
  WHERE state = 'running' and trigger in ('data_change', 'full_check', 'manual');
