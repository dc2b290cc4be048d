-- The line of its rule that decided a listing: null where none was asked, or none is known, 0 where none applied.
ALTER TABLE listing_metrics ADD COLUMN line smallint;
ALTER TABLE listing_metrics ADD CONSTRAINT line_range CHECK (line between 0 and 20);

-- Since when a rule has its lines: a listing that is due since then was decided by former ones, whose numbers meant others.
ALTER TABLE repricing_rules ADD COLUMN lines_since timestamptz(3) DEFAULT now() NOT NULL;
CREATE FUNCTION keep_lines_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.lines_since := now();
  RETURN NEW;
END
$$;
CREATE TRIGGER repricing_rules_lines_since BEFORE UPDATE ON repricing_rules
  FOR EACH ROW WHEN (NEW.lines IS DISTINCT FROM OLD.lines) EXECUTE FUNCTION keep_lines_since();
