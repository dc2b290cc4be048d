-- What a fulfillment fee was before it jumped, and after it: only what jumped is accepted or rejected.
ALTER TABLE fee_jumps ADD COLUMN fee_before numeric(10, 2);
ALTER TABLE fee_jumps ADD COLUMN fee_reported numeric(10, 2);
ALTER TABLE fee_jumps ADD CONSTRAINT fee_before_range CHECK (fee_before between 0 and 99999999.99);
ALTER TABLE fee_jumps ADD CONSTRAINT fee_reported_range CHECK (fee_reported between 0 and 99999999.99);
ALTER TABLE fee_jumps ADD CONSTRAINT both_fees CHECK ((fee_before is null) = (fee_reported is null));
