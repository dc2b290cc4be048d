-- A listing that is for sale without a price is named, too.
ALTER TABLE passed_over_rows DROP CONSTRAINT why_known;
ALTER TABLE passed_over_rows ADD CONSTRAINT why_known CHECK (why in ('no_sku', 'no_label', 'other_currency', 'repeated', 'not_ours_to_price', 'auction', 'unreadable', 'price_not_in_cents', 'no_price'));
