-- Every change of a price, by whomever, is one row here; and adding a row is the only way to change a price.

CREATE TABLE price_history (
  id bigint DEFAULT nextval('price_history_id_seq') NOT NULL,
  listing_id bigint NOT NULL,
  old_price numeric(10, 2),
  new_price numeric(10, 2) NOT NULL,
  reason text NOT NULL,
  margin_impact numeric(5, 2),
  timestamp timestamptz(3) DEFAULT now() NOT NULL,
  source text NOT NULL,
  actor_id text,
  actor text,
  run_id bigint,
  rule_id bigint,
  competitor_price numeric(10, 2),
  lowest_legal_price numeric(10, 2),
  fee_version text,
  facts jsonb,
  CONSTRAINT price_history_listing_id_id_pk PRIMARY KEY (listing_id, id),
  CONSTRAINT source_known CHECK (source in ('rule', 'person', 'apply', 'undo', 'import', 'observed')),
  CONSTRAINT reason_filled CHECK (char_length(btrim(reason)) between 1 and 2000),
  CONSTRAINT old_price_range CHECK (old_price between 0.01 and 99999999.99),
  CONSTRAINT new_price_range CHECK (new_price between 0.01 and 99999999.99),
  CONSTRAINT competitor_price_range CHECK (competitor_price between 0.01 and 99999999.99),
  CONSTRAINT lowest_legal_price_range CHECK (lowest_legal_price between 0.01 and 99999999.99),
  CONSTRAINT margin_impact_range CHECK (margin_impact between -999.99 and 999.99),
  CONSTRAINT timestamp_finite CHECK (isfinite(timestamp)),
  CONSTRAINT price_changes CHECK (old_price is null or old_price <> new_price),
  CONSTRAINT first_is_import CHECK (old_price is not null or source = 'import'),
  CONSTRAINT never_below_floor CHECK (source in ('import', 'observed') or (lowest_legal_price is not null and new_price >= lowest_legal_price)),
  CONSTRAINT price_history_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE RESTRICT,
  CONSTRAINT price_history_run_id_repricing_runs_id_fk FOREIGN KEY (run_id) REFERENCES repricing_runs(id) ON DELETE RESTRICT,
  CONSTRAINT price_history_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE RESTRICT
);
CREATE INDEX price_history_timestamp_idx ON price_history (timestamp, id);
CREATE INDEX price_history_run_id_idx ON price_history (run_id) WHERE run_id is not null;

CREATE TRIGGER price_history_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON price_history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The first row of a ledger: the price that a listing comes with.
CREATE FUNCTION open_price_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO price_history (id, listing_id, old_price, new_price, reason, source, timestamp)
  SELECT current_price_id, id, NULL, current_price, 'First price of the listing', 'import', created_at
  FROM added;
  RETURN NULL;
END
$$;

CREATE TRIGGER listings_open_ledger
  AFTER INSERT ON listings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION open_price_ledger();

-- Every further row. Runs once per statement, so that a batch of thousands costs one join. Always by the primary key:
-- a merge join would read the catalogue from its first listing on, for every batch.
CREATE FUNCTION move_prices() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_seqscan = off
AS $$
DECLARE
  appended_rows bigint;
  first_rows bigint;
  moved_rows bigint;
  broken record;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE old_price IS NULL) INTO appended_rows, first_rows FROM appended;

  -- Depth 2: the insert of the listings, through open_price_ledger, is the only one that may write first rows.
  IF first_rows > 0 THEN
    IF pg_trigger_depth() > 1 THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'A row of price_history without an old price comes only with a new listing'
      USING ERRCODE = 'integrity_constraint_violation', TABLE = 'price_history', CONSTRAINT = 'price_history_chain';
  END IF;

  -- In one order for everybody: two batches over the same listings wait for each other instead of deadlocking.
  PERFORM FROM listings WHERE id IN (SELECT listing_id FROM appended) ORDER BY id FOR NO KEY UPDATE;

  -- The price in force is the new price of the row before, so the condition below is the chain itself. Rows that were
  -- numbered before the row in force come from a writer that was overtaken.
  UPDATE listings l SET
    current_price = a.new_price,
    current_price_id = a.id,
    anchor_price = CASE WHEN a.source IN ('person', 'import', 'observed') THEN a.new_price ELSE l.anchor_price END,
    last_repriced = CASE WHEN a.source IN ('rule', 'apply') THEN a.timestamp ELSE l.last_repriced END,
    updated_at = a.timestamp
  FROM appended a
  WHERE l.id = a.listing_id AND l.current_price = a.old_price AND l.current_price_id < a.id;
  GET DIAGNOSTICS moved_rows = ROW_COUNT;
  IF moved_rows < appended_rows THEN
    SELECT a.listing_id, a.old_price, l.current_price INTO broken
    FROM appended a JOIN listings l ON l.id = a.listing_id
    WHERE l.current_price_id <> a.id
    ORDER BY a.listing_id LIMIT 1;
    -- The price may be the expected one again: then only the number of the row tells that its writer was overtaken.
    IF broken.old_price = broken.current_price THEN
      RAISE EXCEPTION 'Listing % has had other prices since this row of its price history was numbered, although it costs % again',
        broken.listing_id, broken.current_price
        USING ERRCODE = 'serialization_failure', TABLE = 'price_history', CONSTRAINT = 'price_history_chain',
          HINT = 'Another writer was faster. Read the price again and decide anew.';
    END IF;
    RAISE EXCEPTION 'Listing % costs %, but a row of its price history was to start from %',
      broken.listing_id, broken.current_price, broken.old_price
      USING ERRCODE = 'serialization_failure', TABLE = 'price_history', CONSTRAINT = 'price_history_chain',
        HINT = 'The price changed meanwhile, or the statement has two rows for one listing. Read the price again and decide anew.';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER price_history_move_prices
  AFTER INSERT ON price_history REFERENCING NEW TABLE AS appended
  FOR EACH STATEMENT EXECUTE FUNCTION move_prices();

CREATE FUNCTION refuse_unrecorded_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The price of listing % changes only by a row of price_history', OLD.id
    USING ERRCODE = 'integrity_constraint_violation', TABLE = 'listings', CONSTRAINT = 'listings_price_by_ledger',
      HINT = 'Insert into price_history; the listing follows in the same statement.';
END
$$;

-- Depth 0 is a statement of a program or a person; the ledger's own UPDATE runs inside its trigger.
CREATE TRIGGER listings_price_by_ledger
  BEFORE UPDATE ON listings
  FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND (OLD.current_price <> NEW.current_price OR OLD.current_price_id <> NEW.current_price_id))
  EXECUTE FUNCTION refuse_unrecorded_price();

CREATE TABLE price_intents (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  sequence integer NOT NULL,
  state text DEFAULT 'queued' NOT NULL,
  price numeric(10, 2) NOT NULL,
  from_price numeric(10, 2) NOT NULL,
  lowest_legal_price numeric(10, 2) NOT NULL,
  competitor_price numeric(10, 2),
  margin_impact numeric(5, 2),
  reason text NOT NULL,
  source text NOT NULL,
  actor_id text,
  actor text,
  run_id bigint,
  rule_id bigint,
  fee_version text,
  facts jsonb,
  idempotency_key text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  settled_at timestamptz(3),
  answer text,
  CONSTRAINT price_intents_idempotency_key_unique UNIQUE (idempotency_key),
  CONSTRAINT price_intents_key UNIQUE (listing_id, sequence),
  CONSTRAINT state_known CHECK (state in ('queued', 'sent', 'accepted', 'confirmed', 'rejected', 'unknown', 'expired')),
  CONSTRAINT source_known CHECK (source in ('rule', 'person', 'apply', 'undo')),
  CONSTRAINT sequence_range CHECK (sequence between 1 and 2147483647),
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT from_price_range CHECK (from_price between 0.01 and 99999999.99),
  CONSTRAINT lowest_legal_price_range CHECK (lowest_legal_price between 0.01 and 99999999.99),
  CONSTRAINT competitor_price_range CHECK (competitor_price between 0.01 and 99999999.99),
  CONSTRAINT margin_impact_range CHECK (margin_impact between -999.99 and 999.99),
  CONSTRAINT reason_filled CHECK (char_length(btrim(reason)) between 1 and 2000),
  CONSTRAINT never_below_floor CHECK (price >= lowest_legal_price),
  CONSTRAINT price_intents_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE RESTRICT,
  CONSTRAINT price_intents_run_id_repricing_runs_id_fk FOREIGN KEY (run_id) REFERENCES repricing_runs(id) ON DELETE RESTRICT,
  CONSTRAINT price_intents_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX price_intents_one_queued ON price_intents (listing_id) WHERE state = 'queued';
CREATE INDEX price_intents_open_idx ON price_intents (state, expires_at) WHERE state in ('queued', 'sent', 'accepted', 'unknown');
