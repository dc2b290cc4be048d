-- One word per concept, also in what is stored.

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
