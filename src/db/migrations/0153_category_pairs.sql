-- By which category the listings of a product type were last charged, and of how many listings that is known.
CREATE TABLE category_pairs (
  marketplace text NOT NULL,
  product_type text NOT NULL,
  fulfillment_type text NOT NULL,
  category text NOT NULL,
  listings integer NOT NULL,
  newest timestamptz(3) NOT NULL,
  CONSTRAINT category_pairs_marketplace_product_type_fulfillment_type_category_pk PRIMARY KEY (marketplace, product_type, fulfillment_type, category),
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT product_type_filled CHECK (char_length(btrim(product_type)) between 1 and 200),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT category_filled CHECK (char_length(btrim(category)) between 1 and 200),
  CONSTRAINT listings_range CHECK (listings between 1 and 2147483647)
);
CREATE INDEX listings_product_type_idx ON listings (marketplace, product_type) WHERE product_type is not null;

INSERT INTO category_pairs (marketplace, product_type, fulfillment_type, category, listings, newest)
SELECT l.marketplace, l.product_type, l.fulfillment_type, f.category_told, count(*), max(f.told_at) FROM listings l
CROSS JOIN LATERAL (SELECT s.category_told, s.told_at FROM fee_facts s
  WHERE s.listing_id = l.id AND s.category_told IS NOT NULL AND s.refused_because IS NULL
  ORDER BY s.told_at DESC, s.id DESC LIMIT 1) f
WHERE l.product_type IS NOT NULL AND l.deleted_at IS NULL GROUP BY 1, 2, 3, 4;
