-- eBay's users may ask eBay to delete their account, and then every application has to forget them. So no name of
-- another seller there is stored: only a hash keyed for this installation, and the label that people see.
CREATE TABLE ebay_account_deletion (
  id text PRIMARY KEY DEFAULT 'default',
  key text NOT NULL,
  noticed_at timestamptz(3),
  CONSTRAINT one_row CHECK (id = 'default'),
  CONSTRAINT key_filled CHECK (char_length(btrim(key)) between 1 and 64)
);
INSERT INTO ebay_account_deletion (key)
  VALUES (encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'));

-- Hashes of deleted accounts, until their rows are deleted.
CREATE TABLE deleted_ebay_sellers (
  seller_hash text PRIMARY KEY,
  noticed_at timestamptz(3) NOT NULL,
  CONSTRAINT seller_hash_filled CHECK (char_length(btrim(seller_hash)) between 1 and 32)
);

CREATE FUNCTION ebay_seller_hash(seller_key text) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT left(encode(sha256(convert_to(key || ' seller ' || seller_key, 'UTF8')), 'hex'), 32) FROM ebay_account_deletion
$$;
CREATE FUNCTION ebay_seller_label(seller_hash text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT 'Seller ' || left(seller_hash, 4)
$$;

ALTER TABLE competitor_offers ADD COLUMN seller_hash text;
ALTER TABLE competitor_offers ADD CONSTRAINT seller_hash_filled CHECK (char_length(btrim(seller_hash)) between 1 and 32);
CREATE INDEX competitor_offers_seller_hash_idx ON competitor_offers (seller_hash) WHERE seller_hash is not null;

-- The names that earlier releases stored. What follows is the only change of the price ledger ever: of the names in what
-- a decision was made with, and of no price, time or reason.
CREATE FUNCTION ebay_names_in(facts jsonb) RETURNS TABLE (name text, key text, label text) STABLE LANGUAGE sql AS $$
  SELECT DISTINCT o ->> 0, o ->> 1, ebay_seller_label(ebay_seller_hash(o ->> 1))
  FROM jsonb_array_elements(facts -> 'offers') o
  WHERE o ->> 5 = 'ebay' AND o ->> 1 IS NOT NULL AND (coalesce((o ->> 7)::int, 0) & 4) = 0
    AND NOT coalesce((facts -> 'policy' -> 'ownSellers') ? (o ->> 1), false)
$$;
CREATE FUNCTION without_ebay_names(facts jsonb) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT jsonb_set(facts, '{offers}', coalesce(jsonb_agg(CASE WHEN n.key IS NULL THEN o ELSE
      jsonb_set(jsonb_set(o, '{0}', to_jsonb(n.label)), '{1}', to_jsonb(lower(n.label))) END ORDER BY place), '[]'))
  FROM jsonb_array_elements(facts -> 'offers') WITH ORDINALITY x (o, place)
  LEFT JOIN (SELECT DISTINCT key, label FROM ebay_names_in(facts)) n
    ON n.key = o ->> 1 AND o ->> 5 = 'ebay' AND (coalesce((o ->> 7)::int, 0) & 4) = 0
$$;
-- The seller that a price was matched against, and the one of a price war, which may have no offer any more.
CREATE FUNCTION without_ebay_opponents(facts jsonb, before jsonb, marketplace text) RETURNS jsonb STABLE LANGUAGE plpgsql AS $$
DECLARE
  path text[];
  opponent text;
BEGIN
  FOREACH path SLICE 1 IN ARRAY ARRAY[ARRAY['against', NULL, NULL], ARRAY['facts', 'priceWarStreak', 'against'], ARRAY['facts', 'lowered', 'against']] LOOP
    path := array_remove(path, NULL);
    opponent := facts #>> path;
    IF opponent IS NOT NULL AND (EXISTS (SELECT FROM ebay_names_in(before) n WHERE n.key = opponent)
      OR (marketplace = 'ebay' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(before -> 'offers') o WHERE o ->> 1 = opponent)))
    THEN
      facts := jsonb_set(facts, path, to_jsonb(lower(ebay_seller_label(ebay_seller_hash(opponent)))));
    END IF;
  END LOOP;
  RETURN facts;
END
$$;
CREATE FUNCTION reason_without_ebay_names(reason text, facts jsonb, marketplace text) RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
  seller record;
BEGIN
  FOR seller IN
    SELECT name, label FROM ebay_names_in(facts) WHERE name IS NOT NULL
    UNION SELECT o, ebay_seller_label(ebay_seller_hash(o))
    FROM (SELECT coalesce(facts #>> '{facts,priceWarStreak,against}', facts #>> '{facts,lowered,against}') AS o) w
    WHERE o IS NOT NULL AND marketplace = 'ebay'
  LOOP
    reason := replace(reason, seller.name || '''s $', seller.label || '''s $');
    reason := replace(reason, ' against ' || seller.name || ': ', ' against ' || seller.label || ': ');
  END LOOP;
  RETURN reason;
END
$$;

-- A recommended price has no stored case of its own: its competitor is among the offers.
CREATE TEMPORARY TABLE renamed_reasons ON COMMIT DROP AS
  SELECT l.id, replace(l.recommended_price_reason, o.seller_name || '''s $', ebay_seller_label(ebay_seller_hash(o.seller_key)) || '''s $') AS reason
  FROM listings l JOIN listings other ON other.sku = l.sku AND other.marketplace = 'ebay'
  JOIN competitor_offers o ON o.listing_id = other.id AND o.seller_key IS NOT NULL AND o.seller_name IS NOT NULL AND NOT o.is_ours
    AND NOT EXISTS (SELECT FROM own_sellers own WHERE own.marketplace = 'ebay' AND own.seller_key = o.seller_key)
  WHERE position(o.seller_name || '''s $' in l.recommended_price_reason) > 0;
ALTER TABLE listings DISABLE TRIGGER USER;
UPDATE listings l SET recommended_price_reason = r.reason FROM renamed_reasons r WHERE r.id = l.id;
ALTER TABLE listings ENABLE TRIGGER USER;

ALTER TABLE price_history DISABLE TRIGGER USER;
UPDATE price_history h SET
  facts = without_ebay_opponents(without_ebay_names(h.facts), h.facts, l.marketplace),
  reason = reason_without_ebay_names(h.reason, h.facts, l.marketplace)
FROM listings l
WHERE l.id = h.listing_id AND jsonb_typeof(h.facts -> 'offers') = 'array'
  AND (l.marketplace = 'ebay' OR h.facts @? '$.offers[*] ? (@[5] == "ebay")');
ALTER TABLE price_history ENABLE TRIGGER USER;

ALTER TABLE price_intents DISABLE TRIGGER USER;
UPDATE price_intents i SET
  facts = without_ebay_opponents(without_ebay_names(i.facts), i.facts, i.marketplace),
  reason = reason_without_ebay_names(i.reason, i.facts, i.marketplace)
WHERE jsonb_typeof(i.facts -> 'offers') = 'array'
  AND (i.marketplace = 'ebay' OR i.facts @? '$.offers[*] ? (@[5] == "ebay")');
ALTER TABLE price_intents ENABLE TRIGGER USER;

ALTER TABLE run_items DISABLE TRIGGER USER;
UPDATE run_items i SET facts = without_ebay_opponents(without_ebay_names(i.facts), i.facts, l.marketplace)
FROM listings l
WHERE l.id = i.listing_id AND jsonb_typeof(i.facts -> 'offers') = 'array'
  AND (l.marketplace = 'ebay' OR i.facts @? '$.offers[*] ? (@[5] == "ebay")');
ALTER TABLE run_items ENABLE TRIGGER USER;

-- What is stored of the market itself; its own triggers would make every listing due.
ALTER TABLE competitor_offers DISABLE TRIGGER USER;
UPDATE competitor_offers o SET seller_hash = ebay_seller_hash(o.seller_key),
  seller_name = ebay_seller_label(ebay_seller_hash(o.seller_key)), seller_key = lower(ebay_seller_label(ebay_seller_hash(o.seller_key)))
FROM listings l
WHERE l.id = o.listing_id AND l.marketplace = 'ebay' AND o.seller_key IS NOT NULL AND NOT o.is_ours
  AND NOT EXISTS (SELECT FROM own_sellers own WHERE own.marketplace = 'ebay' AND own.seller_key = o.seller_key);
ALTER TABLE competitor_offers ENABLE TRIGGER USER;

UPDATE offer_sets s SET offers = (
  SELECT jsonb_agg(CASE WHEN o ->> 'seller' IS NULL OR o ? 'ours'
      OR EXISTS (SELECT FROM own_sellers own WHERE own.marketplace = 'ebay' AND own.seller_key = lower(btrim(o ->> 'seller')))
    THEN o ELSE jsonb_set(o, '{seller}', to_jsonb(ebay_seller_label(ebay_seller_hash(lower(btrim(o ->> 'seller')))))) END ORDER BY place)
  FROM jsonb_array_elements(s.offers) WITH ORDINALITY x (o, place))
FROM listings l WHERE l.id = s.listing_id AND l.marketplace = 'ebay' AND s.offers <> '[]';

UPDATE competitor_prices p SET buy_box_seller = ebay_seller_label(ebay_seller_hash(lower(btrim(p.buy_box_seller))))
WHERE p.marketplace = 'ebay' AND p.buy_box_seller IS NOT NULL
  AND NOT EXISTS (SELECT FROM own_sellers own WHERE own.marketplace = 'ebay' AND own.seller_key = lower(btrim(p.buy_box_seller)));
UPDATE competitor_price_periods p SET buy_box_seller = ebay_seller_label(ebay_seller_hash(lower(btrim(p.buy_box_seller))))
WHERE p.marketplace = 'ebay' AND p.buy_box_seller IS NOT NULL
  AND NOT EXISTS (SELECT FROM own_sellers own WHERE own.marketplace = 'ebay' AND own.seller_key = lower(btrim(p.buy_box_seller)));

DROP FUNCTION reason_without_ebay_names(text, jsonb, text);
DROP FUNCTION without_ebay_opponents(jsonb, jsonb, text);
DROP FUNCTION without_ebay_names(jsonb);
DROP FUNCTION ebay_names_in(jsonb);
