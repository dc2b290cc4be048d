-- How the cells of a file are read where its text alone does not say: the unit of its weights, for one.
ALTER TABLE imports ADD COLUMN readings jsonb DEFAULT '{}'::jsonb NOT NULL;

-- Codes that differ only in case, spaces or an apostrophe in front are looked up by what they share.
CREATE INDEX skus_loose_code_idx ON skus (lower(regexp_replace(sku, '^''+|\s+', '', 'g')));
CREATE INDEX listings_loose_code_idx ON listings (lower(regexp_replace(sku, '^''+|\s+', '', 'g'))) WHERE deleted_at is null;
