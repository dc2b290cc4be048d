-- A fulfillment fee may jump as well as the others of an answer, and fees of sales are read later than they were told.
ALTER TABLE fee_jumps
  ADD COLUMN part text DEFAULT 'commission' NOT NULL CONSTRAINT part_known CHECK (part in ('commission', 'fulfillment')),
  ADD COLUMN read_at timestamptz(3);
UPDATE fee_jumps SET read_at = told_at;
ALTER TABLE fee_jumps
  ALTER COLUMN read_at SET NOT NULL,
  ALTER COLUMN part DROP DEFAULT,
  DROP CONSTRAINT fee_jumps_listing_id_told_at_pk,
  ADD CONSTRAINT fee_jumps_listing_id_told_at_part_pk PRIMARY KEY (listing_id, told_at, part);
CREATE INDEX fee_jumps_read_at_idx ON fee_jumps (read_at);
