-- What files say of the stock counts too where no marketplace tells it, and the age of the stock from files.
ALTER TABLE day_stocks
  ALTER COLUMN stock DROP NOT NULL,
  ADD COLUMN stock_age_days integer CONSTRAINT stock_age_days_range CHECK (stock_age_days between 0 and 2147483647),
  ADD CONSTRAINT day_stocks_known CHECK (stock is not null or stock_age_days is not null);
