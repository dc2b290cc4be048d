-- What the fees of a marketplace depend on besides the category: the seller's plan with it, and sales tax.

CREATE TABLE fee_terms (
  marketplace text PRIMARY KEY,
  plan text,
  sales_tax numeric(5, 2) DEFAULT 8 NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT plan_filled CHECK (char_length(btrim(plan)) between 1 and 100),
  CONSTRAINT sales_tax_range CHECK (sales_tax between 0 and 30)
);
INSERT INTO fee_terms (marketplace) VALUES ('walmart'), ('amazon'), ('michaels'), ('ebay'), ('etsy'), ('shopify');

CREATE TRIGGER fee_terms_due_update AFTER UPDATE ON fee_terms
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION marketplaces_are_due('fees');
