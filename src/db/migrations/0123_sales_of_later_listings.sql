-- Order lines of items that are no listings yet: they become sales when a listing of theirs is added. Kept for 400 days.
CREATE TABLE unlisted_sales (
  marketplace text NOT NULL,
  external_id text NOT NULL,
  order_ref text,
  line_number integer,
  sku text,
  item_id text,
  sale_date timestamptz(3) NOT NULL,
  quantity_sold integer NOT NULL,
  unit_price numeric(10, 2) NOT NULL,
  total_revenue numeric(10, 2) NOT NULL,
  shipping_revenue numeric(10, 2),
  fees_told numeric(10, 2),
  CONSTRAINT unlisted_sales_marketplace_external_id_pk PRIMARY KEY (marketplace, external_id),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT order_ref_filled CHECK (char_length(btrim(order_ref)) between 1 and 500),
  CONSTRAINT line_number_range CHECK (line_number between 1 and 2147483647),
  CONSTRAINT quantity_sold_range CHECK (quantity_sold between 1 and 2147483647),
  CONSTRAINT unit_price_range CHECK (unit_price between 0 and 99999999.99),
  CONSTRAINT total_revenue_range CHECK (total_revenue between 0 and 99999999.99),
  CONSTRAINT shipping_revenue_range CHECK (shipping_revenue between 0 and 99999999.99),
  CONSTRAINT fees_told_range CHECK (fees_told between 0 and 99999999.99)
);
CREATE INDEX unlisted_sales_sku_idx ON unlisted_sales (marketplace, sku) WHERE sku is not null;
CREATE INDEX unlisted_sales_item_idx ON unlisted_sales (marketplace, item_id) WHERE sku is null AND item_id is not null;
CREATE INDEX unlisted_sales_sale_date_idx ON unlisted_sales (sale_date);

-- Until now such lines were skipped: those that a first sync of sales reads are read once more.
UPDATE marketplace_syncs SET succeeded_at = NULL WHERE kind = 'sales';
