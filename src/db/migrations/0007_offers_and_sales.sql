-- What others ask, what was sold, and the past that learning needs.

CREATE TABLE competitor_offers (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  seller_name text,
  seller_key text,
  is_marketplace boolean DEFAULT false NOT NULL,
  price numeric(10, 2) NOT NULL,
  shipping numeric(10, 2) DEFAULT 0 NOT NULL,
  fulfillment_type text,
  is_featured boolean DEFAULT false NOT NULL,
  is_ours boolean DEFAULT false NOT NULL,
  seen_at timestamptz(3),
  rating numeric(5, 2),
  rating_count integer,
  handling_days integer,
  CONSTRAINT price_range CHECK (price between 0.01 and 99999999.99),
  CONSTRAINT shipping_range CHECK (shipping between 0 and 99999999.99),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT seller_key_filled CHECK (char_length(btrim(seller_key)) between 1 and 500),
  CONSTRAINT rating_range CHECK (rating between 0 and 100),
  CONSTRAINT rating_count_range CHECK (rating_count between 0 and 2147483647),
  CONSTRAINT handling_days_range CHECK (handling_days between 0 and 2147483647),
  CONSTRAINT competitor_offers_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX competitor_offers_listing_id_idx ON competitor_offers (listing_id);

CREATE TABLE offer_sets (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  offers jsonb NOT NULL,
  CONSTRAINT offer_sets_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX offer_sets_listing_id_idx ON offer_sets (listing_id, recorded_at);

CREATE TABLE competitor_prices (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  marketplace text NOT NULL,
  amazon_direct_price numeric(10, 2),
  walmart_direct_price numeric(10, 2),
  third_party_min_price numeric(10, 2),
  third_party_max_price numeric(10, 2),
  third_party_avg_price numeric(10, 2),
  third_party_seller_count integer DEFAULT 0 NOT NULL,
  buy_box_price numeric(10, 2),
  buy_box_seller text,
  timestamp timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT amazon_direct_price_range CHECK (amazon_direct_price between 0.01 and 99999999.99),
  CONSTRAINT walmart_direct_price_range CHECK (walmart_direct_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_min_price_range CHECK (third_party_min_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_max_price_range CHECK (third_party_max_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_avg_price_range CHECK (third_party_avg_price between 0.01 and 99999999.99),
  CONSTRAINT third_party_seller_count_range CHECK (third_party_seller_count between 0 and 2147483647),
  CONSTRAINT buy_box_price_range CHECK (buy_box_price between 0.01 and 99999999.99),
  CONSTRAINT competitor_prices_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX competitor_prices_listing_id_idx ON competitor_prices (listing_id, marketplace, timestamp DESC NULLS LAST);

CREATE TABLE own_sellers (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  name text NOT NULL,
  seller_key text NOT NULL,
  CONSTRAINT own_sellers_key UNIQUE (marketplace, seller_key),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 500),
  CONSTRAINT seller_key_filled CHECK (char_length(btrim(seller_key)) between 1 and 500)
);

CREATE TABLE sales_history (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  external_id text,
  sale_date timestamptz(3) NOT NULL,
  quantity_sold integer NOT NULL,
  unit_price numeric(10, 2) NOT NULL,
  total_revenue numeric(10, 2) NOT NULL,
  unit_cost numeric(10, 2),
  total_cost numeric(10, 2),
  margin_per_unit numeric(10, 2),
  total_margin numeric(10, 2),
  marketplace_fees numeric(10, 2),
  shipping_cost numeric(10, 2),
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT sales_history_key UNIQUE (listing_id, external_id),
  CONSTRAINT quantity_sold_range CHECK (quantity_sold between 1 and 2147483647),
  CONSTRAINT unit_price_range CHECK (unit_price between 0 and 99999999.99),
  CONSTRAINT total_revenue_range CHECK (total_revenue between 0 and 99999999.99),
  CONSTRAINT unit_cost_range CHECK (unit_cost between 0 and 99999999.99),
  CONSTRAINT total_cost_range CHECK (total_cost between 0 and 99999999.99),
  CONSTRAINT margin_per_unit_range CHECK (margin_per_unit between -99999999.99 and 99999999.99),
  CONSTRAINT total_margin_range CHECK (total_margin between -99999999.99 and 99999999.99),
  CONSTRAINT marketplace_fees_range CHECK (marketplace_fees between 0 and 99999999.99),
  CONSTRAINT shipping_cost_range CHECK (shipping_cost between 0 and 99999999.99),
  CONSTRAINT sales_history_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE RESTRICT
);
CREATE INDEX sales_history_listing_id_idx ON sales_history (listing_id, sale_date);

CREATE TABLE listing_analytics (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  review_count integer DEFAULT 0 NOT NULL,
  average_rating numeric(3, 2),
  sales_rank integer,
  sales_rank_category text,
  buy_box_percentage numeric(5, 2),
  last_updated timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT listing_analytics_listing_id_unique UNIQUE (listing_id),
  CONSTRAINT review_count_range CHECK (review_count between 0 and 2147483647),
  CONSTRAINT average_rating_range CHECK (average_rating between 0 and 5),
  CONSTRAINT sales_rank_range CHECK (sales_rank between 1 and 2147483647),
  CONSTRAINT buy_box_percentage_range CHECK (buy_box_percentage between 0 and 100),
  CONSTRAINT listing_analytics_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

CREATE TABLE listing_days (
  listing_id bigint NOT NULL,
  day date NOT NULL,
  buy_box_polls integer DEFAULT 0 NOT NULL,
  buy_box_wins integer DEFAULT 0 NOT NULL,
  review_count integer,
  average_rating numeric(3, 2),
  sales_rank integer,
  CONSTRAINT listing_days_listing_id_day_pk PRIMARY KEY (listing_id, day),
  CONSTRAINT buy_box_polls_range CHECK (buy_box_polls between 0 and 2147483647),
  CONSTRAINT buy_box_wins_range CHECK (buy_box_wins between 0 and 2147483647),
  CONSTRAINT wins_at_most_polls CHECK (buy_box_wins <= buy_box_polls),
  CONSTRAINT review_count_range CHECK (review_count between 0 and 2147483647),
  CONSTRAINT average_rating_range CHECK (average_rating between 0 and 5),
  CONSTRAINT sales_rank_range CHECK (sales_rank between 1 and 2147483647),
  CONSTRAINT listing_days_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

CREATE TABLE stock_levels (
  listing_id bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  marketplace text NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT stock_levels_listing_id_at_pk PRIMARY KEY (listing_id, at),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT quantity_range CHECK (quantity between 0 and 2147483647),
  CONSTRAINT stock_levels_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
