-- Units of a sale that came back into stock as its marketplace told: what a user entered counts until it tells another number.
ALTER TABLE sales_history ADD COLUMN restocked_told integer DEFAULT 0 NOT NULL;
ALTER TABLE sales_history ADD CONSTRAINT restocked_told_range CHECK (restocked_told between 0 and 2147483647);
ALTER TABLE unlisted_sales ADD COLUMN restocked integer DEFAULT 0 NOT NULL;
ALTER TABLE unlisted_sales ADD COLUMN restocked_at timestamptz(3);
ALTER TABLE unlisted_sales ADD CONSTRAINT restocked_range CHECK (restocked between 0 and 2147483647);
ALTER TABLE unlisted_sales ADD CONSTRAINT restocked_has_time CHECK ((restocked > 0) = (restocked_at is not null));
