-- What marketplaces booked, amount by amount. Only added to: an amount that is read again with other figures is a new
-- version, and the former one names it in superseded_by.
CREATE TABLE money_events (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  marketplace text NOT NULL,
  external_id text NOT NULL,
  version integer NOT NULL,
  superseded_by bigint,
  kind text NOT NULL,
  raw_type text NOT NULL,
  amount numeric(10, 2) NOT NULL,
  order_ref text,
  line_ref text,
  sku text,
  item_id text,
  quantity integer,
  posted_at timestamptz(3) NOT NULL,
  released_at timestamptz(3),
  settlement_ref text,
  read_at timestamptz(3) NOT NULL,
  matched_by text DEFAULT 'marketplace' NOT NULL,
  listing_id bigint,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT external_id_filled CHECK (char_length(btrim(external_id)) between 1 and 200),
  CONSTRAINT version_range CHECK (version between 1 and 2147483647),
  CONSTRAINT kind_known CHECK (kind in ('principal', 'shipping', 'discount', 'funded', 'commission', 'closing', 'per_order', 'renewal', 'payment', 'fulfillment', 'ad', 'label', 'refund_principal', 'refund_shipping', 'refund_commission', 'refund_other', 'refund_fee', 'storage', 'reimbursement', 'tax', 'transfer', 'other')),
  CONSTRAINT raw_type_filled CHECK (char_length(btrim(raw_type)) between 1 and 500),
  CONSTRAINT amount_range CHECK (amount between -99999999.99 and 99999999.99),
  CONSTRAINT order_ref_filled CHECK (char_length(btrim(order_ref)) between 1 and 500),
  CONSTRAINT line_ref_filled CHECK (char_length(btrim(line_ref)) between 1 and 500),
  CONSTRAINT sku_filled CHECK (char_length(btrim(sku)) between 1 and 500),
  CONSTRAINT item_id_filled CHECK (char_length(btrim(item_id)) between 1 and 500),
  CONSTRAINT quantity_range CHECK (quantity between 1 and 2147483647),
  CONSTRAINT settlement_ref_filled CHECK (char_length(btrim(settlement_ref)) between 1 and 200),
  CONSTRAINT matched_by_known CHECK (matched_by in ('line', 'order_sku', 'order', 'sku', 'marketplace')),
  CONSTRAINT listing_by_sku_only CHECK ((listing_id is not null) = (matched_by = 'sku')),
  CONSTRAINT money_events_key UNIQUE (marketplace, external_id, version),
  CONSTRAINT money_events_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE RESTRICT
);
CREATE INDEX money_events_order_idx ON money_events (order_ref) WHERE order_ref is not null;
CREATE INDEX money_events_line_idx ON money_events (line_ref) WHERE line_ref is not null;
CREATE INDEX money_events_settlement_idx ON money_events (marketplace, settlement_ref) WHERE settlement_ref is not null;
CREATE INDEX money_events_listing_idx ON money_events (listing_id, posted_at) WHERE listing_id is not null;
CREATE INDEX money_events_posted_at_idx ON money_events (posted_at DESC NULLS LAST, id DESC NULLS LAST) WHERE superseded_by is null;
CREATE INDEX money_events_unmatched_idx ON money_events (posted_at DESC NULLS LAST, id DESC NULLS LAST)
  WHERE superseded_by is null AND matched_by in ('sku', 'marketplace') AND kind <> 'transfer';

-- Settlements and payouts as the marketplace told them.
CREATE TABLE settlements (
  marketplace text NOT NULL,
  ref text NOT NULL,
  from_at timestamptz(3),
  to_at timestamptz(3),
  paid_at timestamptz(3),
  told_total numeric(10, 2),
  is_closed boolean NOT NULL,
  read_at timestamptz(3) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT ref_filled CHECK (char_length(btrim(ref)) between 1 and 200),
  CONSTRAINT told_total_range CHECK (told_total between -99999999.99 and 99999999.99),
  CONSTRAINT settlements_marketplace_ref_pk PRIMARY KEY (marketplace, ref)
);

-- Amounts that could not be taken, and why.
CREATE TABLE refused_money (
  marketplace text NOT NULL,
  place text NOT NULL,
  why text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT place_filled CHECK (char_length(btrim(place)) between 1 and 500),
  CONSTRAINT why_known CHECK (why in ('currency', 'unreadable', 'fraction', 'out_of_range', 'future', 'no_id')),
  CONSTRAINT refused_money_marketplace_place_why_pk PRIMARY KEY (marketplace, place, why)
);
CREATE INDEX refused_money_last_seen_at_idx ON refused_money (last_seen_at DESC NULLS LAST, marketplace, place, why);

-- The time of which the money of a marketplace is known completely.
CREATE TABLE money_reads (
  marketplace text PRIMARY KEY,
  read_from timestamptz(3) NOT NULL,
  read_until timestamptz(3) NOT NULL,
  back_to timestamptz(3) NOT NULL,
  reread_at timestamptz(3) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify')),
  CONSTRAINT from_before_until CHECK (read_from <= read_until)
);

ALTER TABLE marketplace_syncs DROP CONSTRAINT kind_known;
ALTER TABLE marketplace_syncs ADD CONSTRAINT kind_known CHECK (kind in ('listings', 'offers', 'sales', 'figures', 'fees', 'money'));
ALTER TABLE sync_requests DROP CONSTRAINT kind_known;
ALTER TABLE sync_requests ADD CONSTRAINT kind_known CHECK (kind in ('listings', 'offers', 'sales', 'figures', 'fees', 'money'));

-- What an event belongs to: a sale by its line, else by order and SKU, else by order; else a listing by SKU; else the
-- marketplace. Money that was only moved belongs to no sale.
CREATE FUNCTION match_money(ids bigint[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  UPDATE money_events e SET matched_by = m.matched_by, listing_id = m.listing_id
  FROM (
    SELECT n.id, b.matched_by, CASE WHEN b.matched_by = 'sku' THEN l.id END AS listing_id
    FROM money_events n
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines, bool_or(h.external_id = n.line_ref) AS is_line, bool_or(o.sku = n.sku) AS is_sku
      FROM sales_history h JOIN listings o ON o.id = h.listing_id AND o.marketplace = n.marketplace
      WHERE n.kind <> 'transfer' AND (h.order_ref = n.order_ref OR h.external_id = n.line_ref)) s
    LEFT JOIN LATERAL (
      SELECT o.id FROM listings o
      WHERE n.kind <> 'transfer' AND o.marketplace = n.marketplace
        AND (o.sku = n.sku OR n.sku IS NULL AND o.marketplace_item_id = n.item_id)
      ORDER BY o.deleted_at IS NOT NULL, o.id DESC LIMIT 1) l ON s.lines = 0
    CROSS JOIN LATERAL (SELECT CASE WHEN s.is_line THEN 'line' WHEN s.is_sku THEN 'order_sku' WHEN s.lines > 0 THEN 'order'
      WHEN l.id IS NOT NULL THEN 'sku' ELSE 'marketplace' END AS matched_by) b
    WHERE n.id = ANY (ids) AND n.superseded_by IS NULL
    ORDER BY n.id) m
  WHERE e.id = m.id AND (e.matched_by, e.listing_id) IS DISTINCT FROM (m.matched_by, m.listing_id);
END
$$;

CREATE FUNCTION booked_money_is_matched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM match_money(array_agg(id)) FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER money_events_match AFTER INSERT ON money_events
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION booked_money_is_matched();

-- Money is often told before its order is read.
CREATE FUNCTION money_of_sales_is_matched() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  PERFORM match_money(array_agg(DISTINCT e.id)) FROM changed c
  JOIN money_events e ON e.order_ref = c.order_ref OR e.line_ref = c.external_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER sales_history_money_insert AFTER INSERT ON sales_history
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION money_of_sales_is_matched();
CREATE TRIGGER sales_history_money_delete AFTER DELETE ON sales_history
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION money_of_sales_is_matched();
