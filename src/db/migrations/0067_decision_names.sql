-- Columns of decisions, limits and rules under the words that the program, its API and its documents use. No row is
-- rewritten; the values that changed with them follow in the next step.

ALTER TABLE price_history RENAME COLUMN lowest_legal_price TO margin_floor;
ALTER TABLE price_history RENAME CONSTRAINT lowest_legal_price_range TO margin_floor_range;
ALTER TABLE price_intents RENAME COLUMN lowest_legal_price TO margin_floor;
ALTER TABLE price_intents RENAME CONSTRAINT lowest_legal_price_range TO margin_floor_range;
ALTER TABLE run_items RENAME COLUMN lowest_legal_price TO margin_floor;
ALTER TABLE run_items RENAME CONSTRAINT lowest_legal_price_range TO margin_floor_range;
ALTER TABLE run_items RENAME COLUMN gate TO review_reason;
ALTER TABLE run_items RENAME COLUMN bound TO binding_limit;
ALTER TABLE listing_metrics RENAME COLUMN lowest_legal_price TO margin_floor;
ALTER TABLE listing_metrics RENAME CONSTRAINT lowest_legal_price_range TO margin_floor_range;
ALTER TABLE listing_metrics RENAME COLUMN gate TO review_reason;
ALTER TABLE listing_metrics RENAME COLUMN gaps TO missing_facts;
ALTER TABLE listing_keys RENAME COLUMN lowest_legal_price TO margin_floor;
ALTER TABLE listing_keys RENAME CONSTRAINT lowest_legal_price_range TO margin_floor_range;

ALTER TABLE repricing_rules RENAME COLUMN ask_first TO requires_review;

ALTER TABLE app_settings RENAME COLUMN max_drift TO max_daily_change;
ALTER TABLE app_settings RENAME CONSTRAINT max_drift_range TO max_daily_change_range;
ALTER TABLE app_settings RENAME COLUMN war_limit TO price_war_threshold;
ALTER TABLE app_settings RENAME CONSTRAINT war_limit_range TO price_war_threshold_range;
ALTER TABLE app_settings RENAME COLUMN war_hold_minutes TO price_war_pause_minutes;
ALTER TABLE app_settings RENAME CONSTRAINT war_hold_minutes_range TO price_war_pause_minutes_range;
ALTER TABLE app_settings RENAME COLUMN breaker_unusual_share TO breaker_same_outcome_share;
ALTER TABLE app_settings RENAME CONSTRAINT breaker_unusual_share_range TO breaker_same_outcome_share_range;

-- The text of a function does not follow a rename.
CREATE OR REPLACE FUNCTION keep_decision_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  UPDATE listing_keys k SET (total_cost, margin, margin_floor, amazon_walmart_price, third_party_fba_wfs_price,
    third_party_fbm_price, rule_id, is_repriceable, problems, is_buy_box_lost, is_at_war, is_held_back) = ROW (
    n.total_cost, n.margin, n.margin_floor, n.amazon_walmart_price, n.third_party_fba_wfs_price,
    n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems, n.is_buy_box_lost, n.is_at_war, n.is_held_back)
  FROM (
    SELECT listing_id, total_cost, margin, margin_floor, amazon_walmart_price, third_party_fba_wfs_price,
      third_party_fbm_price, rule_id,
      outcome <> 'blocked' AND NOT is_unruled AS is_repriceable,
      missing_facts || CASE
        WHEN outcome = 'blocked' AND reason_code IS NOT NULL THEN ARRAY[reason_code]
        WHEN is_unruled THEN ARRAY['no_rule']
        ELSE '{}'::text[] END AS problems,
      holds_buy_box IS FALSE AS is_buy_box_lost,
      reason_code IS NOT DISTINCT FROM 'price_war' AS is_at_war,
      -- The step limit or the daily limit stopped the price on its way.
      reason_code IS NOT DISTINCT FROM 'held_by_limit' OR review_reason IS NOT DISTINCT FROM 'outside_move_range'
        AS is_held_back
    FROM (
      SELECT *, coalesce(reason_code IN ('no_rule', 'own_rule_paused', 'own_rule_mismatch', 'own_rule_missing'), false)
        AS is_unruled FROM changed ORDER BY listing_id
    ) decided
  ) n
  WHERE k.listing_id = n.listing_id AND (k.total_cost, k.margin, k.margin_floor, k.amazon_walmart_price,
      k.third_party_fba_wfs_price, k.third_party_fbm_price, k.rule_id, k.is_repriceable, k.problems,
      k.is_buy_box_lost, k.is_at_war, k.is_held_back)
    IS DISTINCT FROM (n.total_cost, n.margin, n.margin_floor, n.amazon_walmart_price, n.third_party_fba_wfs_price,
      n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems, n.is_buy_box_lost, n.is_at_war, n.is_held_back);
  RETURN NULL;
END
$$;
