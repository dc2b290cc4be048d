-- Whose fees a schedule holds: published ones that the program brings along, with their source, or those of a user.

ALTER TABLE fee_schedules
  ADD COLUMN origin text DEFAULT 'edited' NOT NULL CONSTRAINT origin_known CHECK (origin in ('shipped', 'edited')),
  ADD COLUMN source_title text CONSTRAINT source_title_filled CHECK (char_length(btrim(source_title)) between 1 and 200),
  ADD COLUMN source_date timestamptz(3),
  ADD COLUMN confidence text CONSTRAINT confidence_known CHECK (confidence in ('high', 'medium', 'low')),
  ADD COLUMN note text CONSTRAINT note_filled CHECK (char_length(btrim(note)) between 1 and 500);
ALTER TABLE fee_schedules ADD CONSTRAINT source_is_whole CHECK ((source_title is null) = (confidence is null) and (origin = 'shipped' or source_title is null));

-- Those that the first schema wrote, as far as no user has replaced them.
UPDATE fee_schedules SET origin = 'shipped' WHERE created_by = 'Pricewright';

-- What was loaded of the shipped schedules: one that a user has edited or deleted does not return until it changes.
CREATE TABLE shipped_fees (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  category text,
  effective_from timestamptz(3),
  content text NOT NULL,
  loaded_at timestamptz(3) NOT NULL,
  CONSTRAINT shipped_fees_key UNIQUE NULLS NOT DISTINCT (marketplace, category, effective_from),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT category_filled CHECK (char_length(btrim(category)) between 1 and 200)
);
