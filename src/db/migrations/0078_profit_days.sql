-- Sums of sales by listing and day, kept so that profit over any time is read without reading the sales.

CREATE TABLE profit_days (
  listing_id bigint NOT NULL,
  day date NOT NULL,
  sales integer NOT NULL,
  sales_known integer NOT NULL,
  sales_told integer NOT NULL,
  units integer NOT NULL,
  revenue numeric(20, 2) NOT NULL,
  revenue_known numeric(20, 2) NOT NULL,
  fees numeric(20, 2),
  cost numeric(20, 2),
  shipping numeric(20, 2),
  profit numeric(20, 2),
  CONSTRAINT revenue_range CHECK (revenue between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT revenue_known_range CHECK (revenue_known between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT fees_range CHECK (fees between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT cost_range CHECK (cost between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT shipping_range CHECK (shipping between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT profit_range CHECK (profit between -999999999999999999.99 and 999999999999999999.99),
  CONSTRAINT sales_range CHECK (sales between 1 and 2147483647),
  CONSTRAINT sales_known_range CHECK (sales_known between 0 and 2147483647),
  CONSTRAINT sales_told_range CHECK (sales_told between 0 and 2147483647),
  CONSTRAINT units_range CHECK (units between 1 and 2147483647),
  CONSTRAINT profit_days_listing_id_day_pk PRIMARY KEY (listing_id, day),
  CONSTRAINT profit_days_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX profit_days_day_idx ON profit_days (day, listing_id);
CREATE INDEX sales_history_sale_date_idx ON sales_history (sale_date DESC NULLS LAST, id DESC NULLS LAST);

-- Days whose sums are to be made again.
CREATE TABLE profit_due (
  listing_id bigint NOT NULL,
  day date NOT NULL,
  CONSTRAINT profit_due_listing_id_day_pk PRIMARY KEY (listing_id, day),
  CONSTRAINT profit_due_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

-- In one order for all writers. An update instead of nothing: it waits for whoever is making the sum of that day.
CREATE FUNCTION mark_profit_due(ids bigint[], moments timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_due (listing_id, day)
  SELECT DISTINCT m.id, (m.at AT TIME ZONE 'UTC')::date FROM unnest(ids, moments) AS m (id, at) ORDER BY 1, 2
  ON CONFLICT (listing_id, day) DO UPDATE SET day = excluded.day
$$;

CREATE FUNCTION profit_of_sales_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_due(array_agg(listing_id), array_agg(sale_date)) FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_profit_due_insert AFTER INSERT ON sales_history
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION profit_of_sales_is_due();
CREATE TRIGGER sales_history_profit_due_delete AFTER DELETE ON sales_history
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION profit_of_sales_is_due();

CREATE FUNCTION profit_of_changed_sales_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_due(array_agg(listing_id), array_agg(sale_date))
  FROM (SELECT listing_id, sale_date FROM changed UNION ALL SELECT listing_id, sale_date FROM before) moved;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_profit_due_update AFTER UPDATE ON sales_history
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION profit_of_changed_sales_is_due();

INSERT INTO profit_due (listing_id, day)
SELECT DISTINCT listing_id, (sale_date AT TIME ZONE 'UTC')::date FROM sales_history;
