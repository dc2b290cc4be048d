-- Arming remembers the lowest allowed price of every listing. One that has no decision yet has no row of metrics to keep it
-- in; its mark lives exactly until the first decision.
ALTER TABLE due_listings ADD COLUMN lowest_allowed numeric(10, 2);
ALTER TABLE due_listings ADD CONSTRAINT lowest_allowed_range CHECK (lowest_allowed between 0.01 and 99999999.99);
