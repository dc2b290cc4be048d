-- Etsy's file of listings is known by its header.
ALTER TABLE imports DROP CONSTRAINT source_known;
ALTER TABLE imports ADD CONSTRAINT source_known CHECK (source in ('own', 'amazon', 'walmart', 'shopify', 'ebay', 'etsy'));
