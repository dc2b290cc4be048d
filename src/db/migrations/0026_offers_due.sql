-- Offers are replaced, not edited, by everything in the product. A statement that edits one is heard all the same.
CREATE TRIGGER competitor_offers_due_update AFTER UPDATE ON competitor_offers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION offers_are_due();
