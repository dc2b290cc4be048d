-- What a listing costs at its marketplace is known once a reading has shown it, with the keys in force now.
-- Terms count how often prices began to be sent there, or to another account; a term is never compared with a clock.
ALTER TABLE integrations ADD COLUMN term integer DEFAULT 0 NOT NULL;
ALTER TABLE marketplace_listings ADD COLUMN price_read_term integer;

CREATE FUNCTION connecting_begins_a_term() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.term := OLD.term + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER integrations_term BEFORE UPDATE OF delivery ON integrations
  FOR EACH ROW WHEN (NEW.delivery = 'connected' AND OLD.delivery <> 'connected')
  EXECUTE FUNCTION connecting_begins_a_term();
