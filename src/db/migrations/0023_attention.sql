-- What needs a person's attention about a listing, beside the keys it is filtered by: the Dashboard counts it, Listings
-- shows it, and both read the same columns.

ALTER TABLE listing_metrics ADD COLUMN holds_buy_box boolean;

ALTER TABLE listing_keys ADD COLUMN awaiting_upload_since timestamptz(3);
ALTER TABLE listing_keys ADD COLUMN is_buy_box_lost boolean DEFAULT false NOT NULL;
ALTER TABLE listing_keys ADD COLUMN is_at_war boolean DEFAULT false NOT NULL;
ALTER TABLE listing_keys ADD COLUMN is_held_back boolean DEFAULT false NOT NULL;
ALTER TABLE listing_keys ADD COLUMN is_stuck boolean NOT NULL GENERATED ALWAYS AS (
  coalesce(current_price <= lowest_legal_price, false) or is_at_war or is_held_back) STORED;

CREATE OR REPLACE FUNCTION keep_listing_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO listing_keys (listing_id, is_live, marketplace, fulfillment_type, sku_key, title_key, long_title,
    current_price, is_recommended, is_held, held_until, is_to_upload, awaiting_upload_since, is_off)
  SELECT * FROM (
    SELECT id AS listing_id, deleted_at IS NULL AS is_live, marketplace, fulfillment_type,
      lower(sku) AS sku_key, left(lower(title), 200) AS title_key,
      -- An index holds no text of any length; the search needs all of it.
      CASE WHEN char_length(title) > 200 THEN lower(title) END AS long_title,
      current_price, recommended_price IS NOT NULL AS is_recommended, held_by IS NOT NULL AS is_held, held_until,
      awaiting_upload_since IS NOT NULL AS is_to_upload, awaiting_upload_since, NOT auto_repricing_enabled AS is_off
    FROM changed
  ) n
  WHERE NOT EXISTS (
    SELECT FROM listing_keys kept
    WHERE kept.listing_id = n.listing_id AND (kept.is_live, kept.marketplace, kept.fulfillment_type, kept.sku_key,
        kept.title_key, kept.long_title, kept.current_price, kept.is_recommended, kept.is_held, kept.held_until,
        kept.is_to_upload, kept.awaiting_upload_since, kept.is_off)
      IS NOT DISTINCT FROM (n.is_live, n.marketplace, n.fulfillment_type, n.sku_key, n.title_key, n.long_title,
        n.current_price, n.is_recommended, n.is_held, n.held_until, n.is_to_upload, n.awaiting_upload_since, n.is_off))
  -- In one order for everybody, so that two writers wait for each other instead of deadlocking.
  ORDER BY listing_id
  ON CONFLICT (listing_id) DO UPDATE SET
    is_live = excluded.is_live, marketplace = excluded.marketplace, fulfillment_type = excluded.fulfillment_type,
    sku_key = excluded.sku_key, title_key = excluded.title_key, long_title = excluded.long_title,
    current_price = excluded.current_price, is_recommended = excluded.is_recommended, is_held = excluded.is_held,
    held_until = excluded.held_until, is_to_upload = excluded.is_to_upload,
    awaiting_upload_since = excluded.awaiting_upload_since, is_off = excluded.is_off;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION keep_decision_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  UPDATE listing_keys k SET (total_cost, margin, lowest_legal_price, amazon_walmart_price, third_party_fba_wfs_price,
    third_party_fbm_price, rule_id, is_repriceable, problems, is_buy_box_lost, is_at_war, is_held_back) = ROW (
    n.total_cost, n.margin, n.lowest_legal_price, n.amazon_walmart_price, n.third_party_fba_wfs_price,
    n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems, n.is_buy_box_lost, n.is_at_war, n.is_held_back)
  FROM (
    SELECT listing_id, total_cost, margin, lowest_legal_price, amazon_walmart_price, third_party_fba_wfs_price,
      third_party_fbm_price, rule_id,
      outcome <> 'blocked' AND NOT is_unruled AS is_repriceable,
      gaps || CASE
        WHEN outcome = 'blocked' AND reason_code IS NOT NULL THEN ARRAY[reason_code]
        WHEN is_unruled THEN ARRAY['no_rule']
        ELSE '{}'::text[] END AS problems,
      holds_buy_box IS FALSE AS is_buy_box_lost,
      reason_code IS NOT DISTINCT FROM 'price_war' AS is_at_war,
      -- A limit on steps or drift stopped the price on its way.
      reason_code IS NOT DISTINCT FROM 'held_by_limit' OR gate IS NOT DISTINCT FROM 'beyond_reach' AS is_held_back
    FROM (
      SELECT *, coalesce(reason_code IN ('no_rule', 'own_rule_paused', 'own_rule_mismatch', 'own_rule_missing'), false)
        AS is_unruled FROM changed ORDER BY listing_id
    ) decided
  ) n
  WHERE k.listing_id = n.listing_id AND (k.total_cost, k.margin, k.lowest_legal_price, k.amazon_walmart_price,
      k.third_party_fba_wfs_price, k.third_party_fbm_price, k.rule_id, k.is_repriceable, k.problems,
      k.is_buy_box_lost, k.is_at_war, k.is_held_back)
    IS DISTINCT FROM (n.total_cost, n.margin, n.lowest_legal_price, n.amazon_walmart_price, n.third_party_fba_wfs_price,
      n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems, n.is_buy_box_lost, n.is_at_war, n.is_held_back);
  RETURN NULL;
END
$$;

-- What is there already goes through the same triggers. Nothing becomes due: no input of a decision changes.
UPDATE listings SET version = version;
UPDATE listing_metrics SET decided_at = decided_at;

-- Rare states are found at once; the others are met while walking an order of the list.
CREATE INDEX listing_keys_buy_box_idx ON listing_keys (listing_id) WHERE is_live and is_buy_box_lost;
CREATE INDEX listing_keys_war_idx ON listing_keys (listing_id) WHERE is_live and is_at_war;
CREATE INDEX listing_keys_held_back_idx ON listing_keys (listing_id) WHERE is_live and is_held_back;
CREATE INDEX listing_keys_stuck_idx ON listing_keys (listing_id) WHERE is_live and is_stuck;
DROP INDEX listing_keys_to_upload_idx;
CREATE INDEX listing_keys_to_upload_idx ON listing_keys (awaiting_upload_since) WHERE is_live and is_to_upload;

-- With the prices in it: figures over some days of the ledger read no wide row.
DROP INDEX price_history_timestamp_idx;
CREATE INDEX price_history_timestamp_idx ON price_history (timestamp, id, listing_id, old_price, new_price, source);

-- What failed lately is found without the jobs that went well.
CREATE INDEX jobs_failed_idx ON jobs (ended_at) WHERE state = 'failed';
