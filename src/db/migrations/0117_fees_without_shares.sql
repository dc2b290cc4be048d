-- The fees in percent have no shares for advertising and returns in them, and are told only where what was told counts.
ALTER TABLE listing_metrics
  ADD COLUMN counted_share numeric(5, 2) CONSTRAINT counted_share_range CHECK (counted_share between 0 and 200),
  ADD COLUMN is_fee_told boolean NOT NULL DEFAULT false;
ALTER TABLE listing_keys
  ADD COLUMN counted_share numeric(5, 2) CONSTRAINT counted_share_range CHECK (counted_share between 0 and 200),
  DROP COLUMN fee_rate;
ALTER TABLE listing_keys ADD COLUMN fee_rate numeric(25, 2) GENERATED ALWAYS AS
  (100 * (current_price + shipping_charge - total_cost) / (current_price + shipping_charge) - margin - coalesce(counted_share, 0)) STORED;
ALTER TABLE listing_keys ADD CONSTRAINT fee_rate_range CHECK (fee_rate between -99999999999999999999.99 and 99999999999999999999.99);
CREATE INDEX listing_keys_fee_rate_idx ON listing_keys (fee_rate, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;

-- As in 0067, with the shares.
CREATE OR REPLACE FUNCTION keep_decision_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  UPDATE listing_keys k SET (total_cost, margin, counted_share, margin_floor, amazon_walmart_price, third_party_fba_wfs_price,
    third_party_fbm_price, rule_id, is_repriceable, problems, is_buy_box_lost, is_at_war, is_held_back) = ROW (
    n.total_cost, n.margin, n.counted_share, n.margin_floor, n.amazon_walmart_price, n.third_party_fba_wfs_price,
    n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems, n.is_buy_box_lost, n.is_at_war, n.is_held_back)
  FROM (
    SELECT listing_id, total_cost, margin, counted_share, margin_floor, amazon_walmart_price, third_party_fba_wfs_price,
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
  WHERE k.listing_id = n.listing_id AND (k.total_cost, k.margin, k.counted_share, k.margin_floor, k.amazon_walmart_price,
      k.third_party_fba_wfs_price, k.third_party_fbm_price, k.rule_id, k.is_repriceable, k.problems,
      k.is_buy_box_lost, k.is_at_war, k.is_held_back)
    IS DISTINCT FROM (n.total_cost, n.margin, n.counted_share, n.margin_floor, n.amazon_walmart_price, n.third_party_fba_wfs_price,
      n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems, n.is_buy_box_lost, n.is_at_war, n.is_held_back);
  RETURN NULL;
END
$$;

-- What the next decisions find: shares are in a margin since they can be entered.
UPDATE listing_metrics m SET
  counted_share = coalesce(l.ad_share, t.ad_share, 0) + coalesce(l.return_share, t.return_share, 0),
  is_fee_told = l.fee_rate IS NULL AND EXISTS (
    SELECT FROM fee_facts f WHERE f.listing_id = l.id AND f.kind = 'commission' AND f.refused_because IS NULL)
FROM listings l LEFT JOIN fee_terms t ON t.marketplace = l.marketplace
WHERE l.id = m.listing_id AND m.margin IS NOT NULL;
