-- What the list of listings is sorted and filtered by, one narrow row per listing. Triggers keep it: sorting a million
-- listings by margin walks one index here and reads wide rows for one page only. `listings` itself gets no index on what
-- moves with every decision, so that a new price there rewrites none.

-- For parts of words. A trusted extension: no superuser is needed.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX listings_search_idx ON listings USING gin (lower(sku || E'\n' || title) gin_trgm_ops) WHERE deleted_at is null;

CREATE TABLE listing_keys (
  listing_id bigint PRIMARY KEY NOT NULL,
  is_live boolean NOT NULL,
  marketplace text NOT NULL,
  fulfillment_type text NOT NULL,
  -- Small letters in the order of their code points, alike on every server.
  sku_key text COLLATE "C" NOT NULL,
  title_key text COLLATE "C" NOT NULL,
  long_title text COLLATE "C",
  current_price numeric(10, 2) NOT NULL,
  is_recommended boolean NOT NULL,
  is_held boolean NOT NULL,
  held_until timestamptz(3),
  is_to_upload boolean NOT NULL,
  is_off boolean NOT NULL,
  total_cost numeric(10, 2),
  margin numeric(5, 2),
  lowest_legal_price numeric(10, 2),
  amazon_walmart_price numeric(10, 2),
  third_party_fba_wfs_price numeric(10, 2),
  third_party_fbm_price numeric(10, 2),
  rule_id bigint,
  is_repriceable boolean,
  problems text[] DEFAULT '{}'::text[] NOT NULL,
  floor_side smallint GENERATED ALWAYS AS (sign(current_price - lowest_legal_price)::smallint) STORED,
  CONSTRAINT current_price_range CHECK (current_price between 0.01 and 99999999.99),
  CONSTRAINT total_cost_range CHECK (total_cost between 0 and 99999999.99),
  CONSTRAINT margin_range CHECK (margin between -999.99 and 999.99),
  CONSTRAINT lowest_legal_price_range CHECK (lowest_legal_price between 0.01 and 99999999.99),
  CONSTRAINT amazon_walmart_price_range CHECK (amazon_walmart_price between 0 and 99999999.99),
  CONSTRAINT third_party_fba_wfs_price_range CHECK (third_party_fba_wfs_price between 0 and 99999999.99),
  CONSTRAINT third_party_fbm_price_range CHECK (third_party_fbm_price between 0 and 99999999.99),
  CONSTRAINT listing_keys_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

-- The listing's half. Whoever moves a price or edits a listing holds its row, so nobody else writes this half meanwhile.
-- Always by the primary key: a hash join would read a million keys to write one.
CREATE FUNCTION keep_listing_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO listing_keys (listing_id, is_live, marketplace, fulfillment_type, sku_key, title_key, long_title,
    current_price, is_recommended, is_held, held_until, is_to_upload, is_off)
  SELECT * FROM (
    SELECT id AS listing_id, deleted_at IS NULL AS is_live, marketplace, fulfillment_type,
      lower(sku) AS sku_key, left(lower(title), 200) AS title_key,
      -- An index holds no text of any length; the search needs all of it.
      CASE WHEN char_length(title) > 200 THEN lower(title) END AS long_title,
      current_price, recommended_price IS NOT NULL AS is_recommended, held_by IS NOT NULL AS is_held, held_until,
      awaiting_upload_since IS NOT NULL AS is_to_upload, NOT auto_repricing_enabled AS is_off
    FROM changed
  ) n
  WHERE NOT EXISTS (
    SELECT FROM listing_keys kept
    WHERE kept.listing_id = n.listing_id AND (kept.is_live, kept.marketplace, kept.fulfillment_type, kept.sku_key,
        kept.title_key, kept.long_title, kept.current_price, kept.is_recommended, kept.is_held, kept.held_until,
        kept.is_to_upload, kept.is_off)
      IS NOT DISTINCT FROM (n.is_live, n.marketplace, n.fulfillment_type, n.sku_key, n.title_key, n.long_title,
        n.current_price, n.is_recommended, n.is_held, n.held_until, n.is_to_upload, n.is_off))
  -- In one order for everybody, so that two writers wait for each other instead of deadlocking.
  ORDER BY listing_id
  ON CONFLICT (listing_id) DO UPDATE SET
    is_live = excluded.is_live, marketplace = excluded.marketplace, fulfillment_type = excluded.fulfillment_type,
    sku_key = excluded.sku_key, title_key = excluded.title_key, long_title = excluded.long_title,
    current_price = excluded.current_price, is_recommended = excluded.is_recommended, is_held = excluded.is_held,
    held_until = excluded.held_until, is_to_upload = excluded.is_to_upload, is_off = excluded.is_off;
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_keys_insert AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_listing_keys();
CREATE TRIGGER listings_keys_update AFTER UPDATE ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_listing_keys();

-- The decision's half. A listing that no rule decides cannot be repriced, whatever else is known of it.
CREATE FUNCTION keep_decision_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
BEGIN
  UPDATE listing_keys k SET (total_cost, margin, lowest_legal_price, amazon_walmart_price, third_party_fba_wfs_price,
    third_party_fbm_price, rule_id, is_repriceable, problems) = ROW (n.total_cost, n.margin, n.lowest_legal_price,
    n.amazon_walmart_price, n.third_party_fba_wfs_price, n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems)
  FROM (
    SELECT listing_id, total_cost, margin, lowest_legal_price, amazon_walmart_price, third_party_fba_wfs_price,
      third_party_fbm_price, rule_id,
      outcome <> 'blocked' AND NOT is_unruled AS is_repriceable,
      gaps || CASE
        WHEN outcome = 'blocked' AND reason_code IS NOT NULL THEN ARRAY[reason_code]
        WHEN is_unruled THEN ARRAY['no_rule']
        ELSE '{}'::text[] END AS problems
    FROM (
      SELECT *, coalesce(reason_code IN ('no_rule', 'own_rule_paused', 'own_rule_mismatch', 'own_rule_missing'), false)
        AS is_unruled FROM changed ORDER BY listing_id
    ) decided
  ) n
  WHERE k.listing_id = n.listing_id AND (k.total_cost, k.margin, k.lowest_legal_price, k.amazon_walmart_price,
      k.third_party_fba_wfs_price, k.third_party_fbm_price, k.rule_id, k.is_repriceable, k.problems)
    IS DISTINCT FROM (n.total_cost, n.margin, n.lowest_legal_price, n.amazon_walmart_price, n.third_party_fba_wfs_price,
      n.third_party_fbm_price, n.rule_id, n.is_repriceable, n.problems);
  RETURN NULL;
END
$$;
CREATE TRIGGER listing_metrics_keys_insert AFTER INSERT ON listing_metrics
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_decision_keys();
CREATE TRIGGER listing_metrics_keys_update AFTER UPDATE ON listing_metrics
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_decision_keys();

-- What is there already goes through the same triggers. Nothing becomes due: no input of a decision changes.
UPDATE listings SET version = version;
UPDATE listing_metrics SET decided_at = decided_at;

-- One index per order, with the id behind it, so that pages never overlap; read backwards it is the other direction.
CREATE INDEX listing_keys_marketplace_idx ON listing_keys (marketplace, listing_id) WHERE is_live;
CREATE INDEX listing_keys_sku_idx ON listing_keys (sku_key, listing_id) WHERE is_live;
CREATE INDEX listing_keys_title_idx ON listing_keys (title_key, listing_id) WHERE is_live;
CREATE INDEX listing_keys_current_price_idx ON listing_keys (current_price, listing_id) WHERE is_live;
CREATE INDEX listing_keys_total_cost_idx ON listing_keys (total_cost, listing_id) WHERE is_live;
CREATE INDEX listing_keys_margin_idx ON listing_keys (margin, listing_id) WHERE is_live;
CREATE INDEX listing_keys_amazon_walmart_idx ON listing_keys (amazon_walmart_price, listing_id) WHERE is_live;
CREATE INDEX listing_keys_fba_wfs_idx ON listing_keys (third_party_fba_wfs_price, listing_id) WHERE is_live;
CREATE INDEX listing_keys_fbm_idx ON listing_keys (third_party_fbm_price, listing_id) WHERE is_live;
-- Rare states are found at once; common ones are met while walking one of the orders above.
CREATE INDEX listing_keys_rule_idx ON listing_keys (rule_id) WHERE is_live and rule_id is not null;
CREATE INDEX listing_keys_floor_idx ON listing_keys (floor_side) WHERE is_live and floor_side <= 0;
CREATE INDEX listing_keys_problems_idx ON listing_keys USING gin (problems) WHERE is_live and problems <> '{}';
CREATE INDEX listing_keys_unpriced_idx ON listing_keys (is_repriceable) WHERE is_live and is_repriceable is not true;
CREATE INDEX listing_keys_recommended_idx ON listing_keys (listing_id) WHERE is_live and is_recommended;
CREATE INDEX listing_keys_held_idx ON listing_keys (listing_id) WHERE is_live and is_held;
CREATE INDEX listing_keys_to_upload_idx ON listing_keys (listing_id) WHERE is_live and is_to_upload;
CREATE INDEX listing_keys_off_idx ON listing_keys (listing_id) WHERE is_live and is_off;
