-- Only columns are remembered, by the separator too: the marketplace, unit, decimal mark and dates are of one file.
DELETE FROM import_choices;
ALTER TABLE import_choices DROP COLUMN defaults, DROP COLUMN readings;
