-- The greatest discount that buyers on Etsy get by sales and coupons, which Etsy does not tell.
ALTER TABLE app_settings ADD COLUMN etsy_greatest_discount text;
ALTER TABLE app_settings ADD CONSTRAINT etsy_greatest_discount_is_percent
  CHECK (etsy_greatest_discount ~ '^([0-9]|[1-8][0-9])(\.[0-9]{1,2})?$');
CREATE FUNCTION etsy_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due((SELECT array_agg(id) FROM listings WHERE marketplace = 'etsy' AND deleted_at IS NULL), 'settings');
  RETURN NULL;
END
$$;
CREATE TRIGGER app_settings_etsy_discount_due AFTER UPDATE ON app_settings FOR EACH ROW
  WHEN (OLD.etsy_greatest_discount IS DISTINCT FROM NEW.etsy_greatest_discount) EXECUTE FUNCTION etsy_is_due();
