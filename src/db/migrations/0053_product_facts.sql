-- Who makes an article, and who we buy it from. What a listing says itself goes before what the SKU of its code says;
-- tags are the SKU's alone.
ALTER TABLE skus ADD COLUMN brand text, ADD COLUMN supplier text,
  ADD CONSTRAINT brand_filled CHECK (char_length(btrim(brand)) between 1 and 200),
  ADD CONSTRAINT supplier_filled CHECK (char_length(btrim(supplier)) between 1 and 200);
ALTER TABLE listings ADD COLUMN brand text, ADD COLUMN supplier text,
  ADD CONSTRAINT brand_filled CHECK (char_length(btrim(brand)) between 1 and 200),
  ADD CONSTRAINT supplier_filled CHECK (char_length(btrim(supplier)) between 1 and 200);

-- Filters ask for these in whatever case.
CREATE FUNCTION small_letters(words text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(array_agg(lower(word)), '{}') FROM unnest(words) word);

CREATE INDEX skus_brand_idx ON skus (lower(brand)) WHERE deleted_at is null and brand is not null;
CREATE INDEX skus_supplier_idx ON skus (lower(supplier)) WHERE deleted_at is null and supplier is not null;
CREATE INDEX skus_tags_search_idx ON skus USING gin (small_letters(tags)) WHERE deleted_at is null and tags <> '{}';
CREATE INDEX listings_brand_idx ON listings (lower(brand)) WHERE deleted_at is null and brand is not null;
CREATE INDEX listings_supplier_idx ON listings (lower(supplier)) WHERE deleted_at is null and supplier is not null;
