-- What a fee was taken on and by, as far as the marketplace tells it with the amount.
ALTER TABLE money_events ADD COLUMN fee_base numeric(10, 2);
ALTER TABLE money_events ADD COLUMN fee_saved numeric(10, 2);
ALTER TABLE money_events ADD COLUMN fee_category text;
ALTER TABLE money_events ADD CONSTRAINT fee_base_range CHECK (fee_base between 0 and 99999999.99);
ALTER TABLE money_events ADD CONSTRAINT fee_saved_range CHECK (fee_saved between 0 and 99999999.99);
ALTER TABLE money_events ADD CONSTRAINT fee_category_filled CHECK (char_length(btrim(fee_category)) between 1 and 200);

-- What was charged of a sale says what is charged of the next one.
ALTER TABLE fee_facts ADD COLUMN fee_base numeric(10, 2);
ALTER TABLE fee_facts ADD COLUMN category_told text;
ALTER TABLE fee_facts DROP CONSTRAINT source_known;
ALTER TABLE fee_facts ADD CONSTRAINT source_known CHECK (source in ('estimate', 'settled'));
ALTER TABLE fee_facts ADD CONSTRAINT fee_base_range CHECK (fee_base between 0.01 and 99999999.99);
ALTER TABLE fee_facts ADD CONSTRAINT category_told_filled CHECK (char_length(btrim(category_told)) between 1 and 200);
ALTER TABLE fee_facts ADD CONSTRAINT terms_of_settled_only CHECK (source = 'settled' or (fee_base is null and category_told is null));
