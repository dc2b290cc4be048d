-- By which of its marketplace's APIs a listing is read and priced; null where there is only one.
ALTER TABLE marketplace_listings ADD COLUMN channel text;
ALTER TABLE marketplace_listings ADD CONSTRAINT channel_known CHECK (channel in ('inventory', 'trading', 'read_only'));

-- Auctions, and variations that no call can name, are named among the rows that are not taken.
ALTER TABLE passed_over_rows DROP CONSTRAINT why_known;
ALTER TABLE passed_over_rows ADD CONSTRAINT why_known CHECK (why in ('no_sku', 'no_label', 'other_currency', 'repeated', 'not_ours_to_price', 'auction', 'unreadable', 'price_not_in_cents'));
