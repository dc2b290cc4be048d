-- What marketplaces told of the fees of a listing, answer by answer, each fee in a row of its own. Only added to; an
-- answer that cannot be right is kept with the reason and never used. Old rows go after 400 days.
CREATE TABLE fee_facts (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  listing_id bigint NOT NULL,
  kind text NOT NULL,
  name text,
  source text NOT NULL,
  fulfillment_type text NOT NULL,
  asked_price numeric(10, 2) NOT NULL,
  asked_shipping numeric(10, 2) NOT NULL,
  amount numeric(10, 2),
  promotion numeric(10, 2) DEFAULT 0 NOT NULL,
  told_at timestamptz(3) NOT NULL,
  refused_because text,
  CONSTRAINT kind_known CHECK (kind in ('commission', 'closing', 'fulfillment', 'other')),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 100),
  CONSTRAINT source_known CHECK (source in ('estimate')),
  CONSTRAINT fulfillment_type_known CHECK (fulfillment_type in ('FBA/WFS', 'FBM')),
  CONSTRAINT asked_price_range CHECK (asked_price between 0.01 and 99999999.99),
  CONSTRAINT asked_shipping_range CHECK (asked_shipping between 0 and 99999999.99),
  CONSTRAINT amount_range CHECK (amount between 0 and 99999999.99),
  CONSTRAINT promotion_range CHECK (promotion between 0 and 99999999.99),
  CONSTRAINT refused_because_known CHECK (refused_because in ('currency', 'negative', 'unreadable', 'other_question', 'wrong_total', 'above_revenue', 'no_commission', 'no_fulfillment', 'out_of_range')),
  CONSTRAINT used_says_how_much CHECK (amount is not null or refused_because is not null),
  CONSTRAINT other_has_name CHECK ((kind = 'other') = (name is not null)),
  CONSTRAINT fee_facts_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX fee_facts_listing_idx ON fee_facts (listing_id, kind, told_at);
CREATE INDEX fee_facts_told_at_idx ON fee_facts (told_at);

-- Until now only listings without a fulfillment fee were asked for: the others come first in the next sync.
UPDATE marketplace_listings SET fees_read_at = NULL WHERE fees_read_at IS NOT NULL;

-- Another shipper, other fees: they are asked for first in the next sync.
CREATE FUNCTION fees_of_another_shipper_are_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE marketplace_listings SET fees_read_at = NULL WHERE listing_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_another_shipper AFTER UPDATE OF fulfillment_type ON listings FOR EACH ROW
  WHEN (OLD.fulfillment_type <> NEW.fulfillment_type) EXECUTE FUNCTION fees_of_another_shipper_are_asked();
