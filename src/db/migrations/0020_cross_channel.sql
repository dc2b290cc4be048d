-- A rule may refuse prices that leave a SKU dearer on Walmart or Amazon than on another channel. Then what one listing asks is
-- an input of the decisions about the others of its SKU.

CREATE FUNCTION siblings_are_due(touched text[], why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(id) FROM listings WHERE sku = ANY (touched) AND deleted_at IS NULL
  ), why);
END
$$;

CREATE FUNCTION is_cross_channel_refused() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM repricing_rules WHERE refuse_cross_channel AND deleted_at IS NULL)
$$;

-- Not the engine's own moves: a batch would mark its own listings. The next sweep looks at those.
CREATE FUNCTION moved_siblings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed WHERE source <> 'rule') AND is_cross_channel_refused() THEN
    PERFORM siblings_are_due((
      SELECT array_agg(DISTINCT l.sku) FROM changed c JOIN listings l ON l.id = c.listing_id WHERE c.source <> 'rule'
    ), 'price');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER price_history_due_elsewhere AFTER INSERT ON price_history
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION moved_siblings_are_due();

CREATE FUNCTION edited_siblings_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_cross_channel_refused() THEN
    PERFORM siblings_are_due((
      SELECT array_agg(DISTINCT touched.sku) FROM changed n JOIN before o ON o.id = n.id
      CROSS JOIN LATERAL (VALUES (n.sku), (o.sku)) touched (sku)
      WHERE (n.sku, n.shipping_charge, n.deleted_at IS NULL) IS DISTINCT FROM (o.sku, o.shipping_charge, o.deleted_at IS NULL)
    ), 'listing');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER listings_due_siblings AFTER UPDATE ON listings
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION edited_siblings_are_due();
