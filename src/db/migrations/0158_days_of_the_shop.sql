-- The time zones in which the days of sales and money are counted: those of the row with the latest from_day that is not
-- after the day. There is one row until the zone changes while the books are closed: closed days stay as they were. A zone is
-- changed together with the sums of its days, so it may be another than that of the settings for a while.
CREATE TABLE day_zones (
  from_day date PRIMARY KEY,
  from_at timestamp(3) with time zone NOT NULL,
  zone text NOT NULL,
  number integer NOT NULL,
  CONSTRAINT zone_filled CHECK (char_length(btrim(zone)) between 1 and 100),
  CONSTRAINT number_range CHECK (number between 1 and 2147483647)
);
INSERT INTO day_zones (from_day, from_at, zone, number) VALUES ('-infinity', '-infinity', 'UTC', 1);

-- The day of the shop on which a moment is.
CREATE FUNCTION shop_day(at timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT greatest(z.from_day, (at AT TIME ZONE z.zone)::date) FROM day_zones z WHERE z.from_at <= at
  ORDER BY z.from_at DESC LIMIT 1
$$;

-- The first moment of a day in a time zone. Where clocks are put back over midnight, midnight comes twice and PostgreSQL takes
-- the second one; where they are put forward over it, it takes the change.
CREATE FUNCTION zone_day_start(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN (m.early AT TIME ZONE zone)::date = day THEN least(m.early, m.usual) ELSE m.usual END
  FROM (SELECT u.usual, (day::timestamp
      - ((u.usual - interval '24 hours') AT TIME ZONE zone - (u.usual - interval '24 hours') AT TIME ZONE 'UTC'))
      AT TIME ZONE 'UTC' AS early
    FROM (SELECT day::timestamp AT TIME ZONE zone AS usual) u) m
$$;

-- The first moment of a day of the shop.
CREATE FUNCTION shop_day_start(day date) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN z.from_day = day THEN z.from_at ELSE greatest(z.from_at, zone_day_start(day, z.zone)) END
  FROM day_zones z WHERE z.from_day <= day ORDER BY z.from_day DESC LIMIT 1
$$;

-- Whether this server knows a time zone: its list may be older than that of the program.
CREATE FUNCTION is_zone(name text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM now() AT TIME ZONE name;
  RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN false;
END
$$;

-- The change of zones after which the day was found: one that was found before is due with the days around it.
ALTER TABLE profit_due ADD COLUMN zones_number integer NOT NULL DEFAULT 1;
ALTER TABLE profit_due ALTER COLUMN zones_number DROP DEFAULT;
ALTER TABLE profit_due ADD CONSTRAINT zones_number_range CHECK (zones_number between 1 and 2147483647);

-- As in 0099, by days of the shop.
CREATE OR REPLACE FUNCTION mark_profit_due(ids bigint[], moments timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_due (listing_id, day, marketplace, zones_number)
  SELECT DISTINCT m.id, shop_day(m.at), l.marketplace, (SELECT max(number) FROM day_zones)
  FROM unnest(ids, moments) AS m (id, at) JOIN listings l ON l.id = m.id ORDER BY 1, 2
  ON CONFLICT (listing_id, day, marketplace) DO UPDATE SET zones_number = least(profit_due.zones_number, excluded.zones_number)
$$;
CREATE OR REPLACE FUNCTION mark_unlisted_due(marketplaces text[], moments timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_due (day, marketplace, zones_number)
  SELECT DISTINCT shop_day(m.at), m.marketplace, (SELECT max(number) FROM day_zones)
  FROM unnest(marketplaces, moments) AS m (marketplace, at) ORDER BY 1, 2
  ON CONFLICT (listing_id, day, marketplace) DO UPDATE SET zones_number = least(profit_due.zones_number, excluded.zones_number)
$$;

-- Returns with their moment instead of their day. Until now only the day was kept: these sales are calculated again.
INSERT INTO sale_money_due (sale_id) SELECT DISTINCT sale_id FROM sale_refunds ORDER BY 1 ON CONFLICT (sale_id) DO NOTHING;
ALTER TABLE sale_refunds ADD COLUMN at timestamp(3) with time zone;
UPDATE sale_refunds SET at = day::timestamp AT TIME ZONE 'UTC';
ALTER TABLE sale_refunds ALTER COLUMN at SET NOT NULL;
ALTER TABLE sale_refunds DROP CONSTRAINT sale_refunds_sale_id_day_pk;
DROP INDEX sale_refunds_listing_idx;
ALTER TABLE sale_refunds DROP COLUMN day;
ALTER TABLE sale_refunds ADD CONSTRAINT sale_refunds_sale_id_at_pk PRIMARY KEY (sale_id, at);
CREATE INDEX sale_refunds_listing_idx ON sale_refunds (listing_id, at);
CREATE OR REPLACE FUNCTION profit_of_refunds_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_due(array_agg(listing_id), array_agg(at)) FROM changed;
  RETURN NULL;
END
$$;
