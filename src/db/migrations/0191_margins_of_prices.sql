-- The margin at the new price: with its impact, what a price change is worth, for every change and not only for decisions of runs.
ALTER TABLE price_history ADD COLUMN margin_after numeric(15, 2),
  ADD CONSTRAINT margin_after_range CHECK (margin_after between -9999999999999.99 and 9999999999999.99);
ALTER TABLE price_intents ADD COLUMN margin_after numeric(15, 2),
  ADD CONSTRAINT margin_after_range CHECK (margin_after between -9999999999999.99 and 9999999999999.99);
