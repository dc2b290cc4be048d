-- A price at its margin floor needs no attention: Fixed Margin sets it there on purpose. One below it does.
ALTER TABLE listing_keys DROP COLUMN is_stuck;
ALTER TABLE listing_keys ADD COLUMN is_stuck boolean NOT NULL GENERATED ALWAYS AS (
  coalesce(current_price < margin_floor, false) or is_at_war or is_held_back) STORED;
CREATE INDEX listing_keys_stuck_idx ON listing_keys (listing_id) WHERE is_live and is_stuck;
