-- What was answered is remembered by its name, never by its value: the next file with these headings is asked again.
-- Of choices made before nobody knows what was answered.
DELETE FROM import_choices;
ALTER TABLE import_choices ADD COLUMN answered text[] NOT NULL;
