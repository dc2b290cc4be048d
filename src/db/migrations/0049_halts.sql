-- The halt (by its moment) that a person confirmed to send this price in spite of. Another halt stops it again.
ALTER TABLE price_intents ADD COLUMN past_halt timestamptz(3);

-- What is recommended says why a person has to apply it. Under a halt that is another reason, and applying is refused.
CREATE FUNCTION recommended_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(id) FROM listings WHERE deleted_at IS NULL AND recommended_price IS NOT NULL), 'engine');
  RETURN NULL;
END
$$;
CREATE TRIGGER engine_halted_due AFTER UPDATE ON engine_switch FOR EACH ROW
  WHEN (NEW.halted AND NOT OLD.halted) EXECUTE FUNCTION recommended_are_due();
