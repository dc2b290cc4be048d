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
-- a decision was made with, and in the two forms of its reason that name a seller ("Mug_House's $18.00" and
-- "against Mug_House: "). No price, no time and nothing else of a reason changes. Not rewritten: reasons of another form,
-- what people wrote themselves (notes, holds, the audit log), and imported files, which are deleted after 30 days.
-- One pass over the rows: each case is taken apart once.
CREATE FUNCTION label_with(secret text, seller text) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT 'Seller ' || left(encode(sha256(convert_to(secret || ' seller ' || seller, 'UTF8')), 'hex'), 4)
$$;
CREATE FUNCTION renamed_in(so_far text, reason text, name text, label text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT replace(replace(coalesce(so_far, reason), name || '''s $', label || '''s $'),
    ' against ' || name || ': ', ' against ' || label || ': ')
$$;
CREATE AGGREGATE reason_without(reason text, name text, label text) (SFUNC = renamed_in, STYPE = text);

-- An offer is [name, key, price, shipping, time, channel, condition, flags, ...]; 4 is the flag of our own. The seller that
-- a price was matched against, and the one of a price war, may have no offer any longer.
CREATE FUNCTION case_without_ebay_names(facts jsonb, reason text, marketplace text, secret text)
RETURNS TABLE (new_facts jsonb, new_reason text) STABLE LANGUAGE sql AS $$
  WITH offers AS MATERIALIZED (
    SELECT o, place, o ->> 0 AS name, o ->> 1 AS key, label_with(secret, o ->> 1) AS label,
      o ->> 5 = 'ebay' AND o ->> 1 IS NOT NULL AND (coalesce((o ->> 7)::int, 0) & 4) = 0
        AND NOT coalesce((facts -> 'policy' -> 'ownSellers') ? (o ->> 1), false) AS is_other
    FROM jsonb_array_elements(facts -> 'offers') WITH ORDINALITY x (o, place)),
  opponents AS MATERIALIZED (
    SELECT number, path, facts #>> path AS key, to_jsonb(lower(label_with(secret, facts #>> path))) AS label
    FROM (VALUES (1, '{against}'::text[]), (2, '{facts,priceWarStreak,against}'), (3, '{facts,lowered,against}')) p (number, path)
    WHERE facts #>> path IS NOT NULL AND CASE WHEN marketplace = 'ebay'
      THEN NOT EXISTS (SELECT FROM offers f WHERE f.key = facts #>> path AND NOT coalesce(f.is_other, false))
        OR EXISTS (SELECT FROM offers f WHERE f.key = facts #>> path AND f.is_other)
      ELSE EXISTS (SELECT FROM offers f WHERE f.key = facts #>> path AND f.is_other) END),
  names AS (
    SELECT name, label FROM offers WHERE is_other AND name IS NOT NULL
    UNION SELECT key, label_with(secret, key) FROM opponents WHERE number > 1 AND marketplace = 'ebay')
  SELECT jsonb_set(third.facts, '{offers}', all_offers.offers),
    coalesce((SELECT reason_without(reason, name, label ORDER BY length(name) DESC, name) FROM names
      WHERE position(name || '''s $' IN reason) > 0 OR position(' against ' || name || ': ' IN reason) > 0), reason)
  FROM (SELECT coalesce(jsonb_agg(CASE WHEN is_other
      THEN jsonb_set(jsonb_set(o, '{0}', to_jsonb(label)), '{1}', to_jsonb(lower(label))) ELSE o END ORDER BY place), '[]') AS offers
    FROM offers) all_offers
  CROSS JOIN LATERAL (SELECT coalesce((SELECT jsonb_set(facts, path, label) FROM opponents WHERE number = 1), facts) AS facts) first
  CROSS JOIN LATERAL (SELECT coalesce((SELECT jsonb_set(first.facts, path, label) FROM opponents WHERE number = 2), first.facts) AS facts) second
  CROSS JOIN LATERAL (SELECT coalesce((SELECT jsonb_set(second.facts, path, label) FROM opponents WHERE number = 3), second.facts) AS facts) third
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
UPDATE price_history h SET facts = c.new_facts, reason = c.new_reason
FROM ebay_account_deletion d, price_history of JOIN listings l ON l.id = of.listing_id, case_without_ebay_names(of.facts, of.reason, l.marketplace, d.key) c
WHERE h.id = of.id AND jsonb_typeof(of.facts -> 'offers') = 'array'
  AND (l.marketplace = 'ebay' OR of.facts @? '$.offers[*] ? (@[5] == "ebay")');
ALTER TABLE price_history ENABLE TRIGGER USER;

ALTER TABLE price_intents DISABLE TRIGGER USER;
UPDATE price_intents i SET facts = c.new_facts, reason = c.new_reason
FROM ebay_account_deletion d, price_intents of, case_without_ebay_names(of.facts, of.reason, of.marketplace, d.key) c
WHERE i.id = of.id AND jsonb_typeof(of.facts -> 'offers') = 'array'
  AND (of.marketplace = 'ebay' OR of.facts @? '$.offers[*] ? (@[5] == "ebay")');
ALTER TABLE price_intents ENABLE TRIGGER USER;

ALTER TABLE run_items DISABLE TRIGGER USER;
UPDATE run_items i SET facts = c.new_facts
FROM ebay_account_deletion d, run_items of JOIN listings l ON l.id = of.listing_id, case_without_ebay_names(of.facts, '', l.marketplace, d.key) c
WHERE i.ctid = of.ctid AND jsonb_typeof(of.facts -> 'offers') = 'array'
  AND (l.marketplace = 'ebay' OR of.facts @? '$.offers[*] ? (@[5] == "ebay")');
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

DROP FUNCTION case_without_ebay_names(jsonb, text, text, text);
DROP AGGREGATE reason_without(text, text, text);
DROP FUNCTION renamed_in(text, text, text, text);
DROP FUNCTION label_with(text, text);
