-- Whoever moves a price, not only Apply and Undo: a typed or imported price may equal the anchor, and then nothing else of
-- the listing changes. Without a mark a batch that was decided before it could leave its old recommendation behind.
CREATE OR REPLACE FUNCTION moved_prices_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(listing_id) FROM changed
    -- The engine's own moves are decided already; a first row comes with its listing, which is due anyway.
    WHERE source <> 'rule' AND old_price IS NOT NULL
  ), 'price');
  RETURN NULL;
END
$$;

-- The offers of a deleted listing no longer count for the same SKU elsewhere, and count again once it is back.
CREATE FUNCTION other_channels_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM repricing_rules WHERE other_channels AND deleted_at IS NULL) THEN
    PERFORM mark_due((
      SELECT array_agg(id) FROM listings WHERE sku = NEW.sku AND id <> NEW.id AND deleted_at IS NULL
    ), 'offers');
  END IF;
  RETURN NULL;
END
$$;
-- Row level, for its condition: the many updates that delete nothing pay nothing.
CREATE TRIGGER listings_due_elsewhere AFTER UPDATE ON listings FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION other_channels_are_due();
