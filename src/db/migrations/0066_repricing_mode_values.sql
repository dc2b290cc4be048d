-- One word per concept, also in what is stored.

ALTER TABLE marketplace_modes DROP CONSTRAINT mode_known;
ALTER TABLE marketplace_modes DROP CONSTRAINT live_has_no_reset_reason;
ALTER TABLE marketplace_modes ALTER COLUMN mode SET DEFAULT 'recommend_only';
-- Other words for the same modes give no listing another price.
ALTER TABLE marketplace_modes DISABLE TRIGGER marketplace_modes_due;
UPDATE marketplace_modes SET mode = CASE mode WHEN 'armed' THEN 'live' ELSE 'recommend_only' END;
ALTER TABLE marketplace_modes ENABLE TRIGGER marketplace_modes_due;
ALTER TABLE marketplace_modes ADD CONSTRAINT mode_known CHECK (mode in ('live', 'recommend_only'));
ALTER TABLE marketplace_modes ADD CONSTRAINT live_has_no_reset_reason CHECK (mode = 'recommend_only' or reset_reason is null);

-- The plan that a run keeps has the names of its columns. In batches, for installations of many years.
DO $$
DECLARE
  batch CONSTANT bigint := 10000;
  last bigint := coalesce((SELECT max(id) FROM repricing_runs), 0);
BEGIN
  FOR start IN 0..last BY batch LOOP
    UPDATE repricing_runs SET plan = plan - 'onFloor' - 'samePrice' - 'isLookedAt' || jsonb_build_object(
        'atMarginFloor', plan -> 'onFloor', 'atSamePrice', plan -> 'samePrice', 'isReviewed', plan -> 'isLookedAt')
      WHERE id > start AND id <= start + batch AND plan ? 'isLookedAt';
  END LOOP;
END
$$;
