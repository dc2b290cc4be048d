-- Lines of rules as text, and the members that only lines use. Without lines the strategy of a rule decides.
ALTER TABLE repricing_rules ADD COLUMN lines text;
ALTER TABLE repricing_rules ADD COLUMN target_margin numeric(5, 2);
ALTER TABLE repricing_rules ADD COLUMN win_share numeric(5, 2) DEFAULT 50 NOT NULL;
ALTER TABLE repricing_rules ADD COLUMN only_same_shipping boolean DEFAULT true NOT NULL;
ALTER TABLE repricing_rules ADD COLUMN ignore_under_floor numeric(5, 2);
ALTER TABLE repricing_rules ADD CONSTRAINT lines_filled CHECK (char_length(btrim(lines)) between 1 and 65536);
ALTER TABLE repricing_rules ADD CONSTRAINT target_margin_range CHECK (target_margin between 0 and 99.99);
ALTER TABLE repricing_rules ADD CONSTRAINT win_share_range CHECK (win_share between 0 and 100);
ALTER TABLE repricing_rules ADD CONSTRAINT ignore_under_floor_range CHECK (ignore_under_floor between 0 and 100);

CREATE TABLE repricing_rule_targets (
  rule_id bigint NOT NULL,
  marketplace text NOT NULL,
  target_margin numeric(5, 2) NOT NULL,
  CONSTRAINT repricing_rule_targets_rule_id_marketplace_pk PRIMARY KEY (rule_id, marketplace),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT target_margin_range CHECK (target_margin between 0 and 99.99),
  CONSTRAINT repricing_rule_targets_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE CASCADE
);

-- What the lines of a rule remember of a listing from decision to decision.
CREATE TABLE line_memories (
  listing_id bigint PRIMARY KEY,
  rule_id bigint NOT NULL,
  lines_hash text NOT NULL,
  situation text,
  situation_since timestamptz(3),
  turns jsonb NOT NULL,
  CONSTRAINT lines_hash_filled CHECK (char_length(btrim(lines_hash)) between 1 and 64),
  CONSTRAINT situation_known CHECK (situation in ('winning', 'losing', 'alone', 'not_read', 'suppressed')),
  CONSTRAINT situation_whole CHECK ((situation is null) = (situation_since is null)),
  CONSTRAINT line_memories_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT line_memories_rule_id_repricing_rules_id_fk FOREIGN KEY (rule_id) REFERENCES repricing_rules(id) ON DELETE CASCADE
) WITH (fillfactor = 80);

-- Who held the buy box in the readings of the last hours, kept while a rule has lines.
CREATE TABLE box_readings (
  listing_id bigint NOT NULL,
  read_at timestamptz(3) NOT NULL,
  is_ours boolean NOT NULL,
  CONSTRAINT box_readings_listing_id_read_at_pk PRIMARY KEY (listing_id, read_at),
  CONSTRAINT box_readings_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
