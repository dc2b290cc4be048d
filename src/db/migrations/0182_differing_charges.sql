-- What is charged for fulfilling a unit, where it differs from the fee that the seller entered: found with the next decision.
ALTER TABLE listing_metrics ADD COLUMN charged_fee numeric(10, 2);
ALTER TABLE listing_metrics ADD CONSTRAINT charged_fee_range CHECK (charged_fee between 0 and 99999999.99);
CREATE INDEX listing_metrics_charged_fee_idx ON listing_metrics (listing_id) WHERE charged_fee is not null;
