-- Review reasons and binding limits under their new names, a run and ten thousand listings at a time, so that no
-- statement holds more. The last decisions go with them: a decision that repeats one must be known again as the same.

DO $$
DECLARE
  run bigint;
  first bigint := 0;
  last bigint := (SELECT max(listing_id) FROM listing_metrics);
BEGIN
  FOR run IN SELECT id FROM repricing_runs ORDER BY id LOOP
    UPDATE run_items SET
      review_reason = CASE review_reason WHEN 'beyond_reach' THEN 'outside_move_range'
        WHEN 'observe' THEN 'recommend_only' ELSE review_reason END,
      binding_limit = CASE binding_limit WHEN 'step' THEN 'step_limit' WHEN 'drift' THEN 'daily_limit'
        WHEN 'legal_gap' THEN 'fee_band_gap' ELSE binding_limit END
    WHERE run_id = run
      AND (review_reason IN ('beyond_reach', 'observe') OR binding_limit IN ('step', 'drift', 'legal_gap'));
  END LOOP;

  WHILE first <= last LOOP
    UPDATE listing_metrics SET
      review_reason = CASE review_reason WHEN 'beyond_reach' THEN 'outside_move_range' ELSE 'recommend_only' END
    WHERE listing_id >= first AND listing_id < first + 10000 AND review_reason IN ('beyond_reach', 'observe');
    first := first + 10000;
  END LOOP;
END
$$;
