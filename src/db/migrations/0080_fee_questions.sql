-- The price for which a listing's fees are asked next, besides its own, and from when; without a moment at once.
ALTER TABLE marketplace_listings ADD COLUMN fee_ask_price numeric(10, 2);
ALTER TABLE marketplace_listings ADD COLUMN fee_ask_after timestamptz(3);
ALTER TABLE marketplace_listings ADD CONSTRAINT fee_ask_price_range CHECK (fee_ask_price between 0.01 and 99999999.99);
