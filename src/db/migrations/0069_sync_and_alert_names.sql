-- Names as the field has them: alerts, event subscriptions, webhook events, syncs, generations, leases. No row is rewritten.

ALTER TABLE notices RENAME TO alerts;
ALTER TABLE alerts RENAME COLUMN began_at TO started_at;
ALTER TABLE alerts RENAME COLUMN mailed_at TO emailed_at;
ALTER TABLE alerts RENAME CONSTRAINT notices_pkey TO alerts_pkey;
ALTER INDEX notices_open_key RENAME TO alerts_open_key;
ALTER INDEX notices_ended_at_idx RENAME TO alerts_ended_at_idx;
ALTER SEQUENCE notices_id_seq RENAME TO alerts_id_seq;

ALTER TABLE notice_looks RENAME TO alert_views;
ALTER TABLE alert_views RENAME COLUMN looked_at TO viewed_at;
ALTER TABLE alert_views RENAME CONSTRAINT notice_looks_pkey TO alert_views_pkey;
ALTER TABLE alert_views RENAME CONSTRAINT notice_looks_user_id_users_id_fk TO alert_views_user_id_users_id_fk;

ALTER TABLE inflows RENAME TO event_subscriptions;
ALTER TABLE event_subscriptions RENAME CONSTRAINT inflows_pkey TO event_subscriptions_pkey;

ALTER TABLE incoming_events RENAME TO webhook_events;
ALTER TABLE webhook_events RENAME COLUMN came_at TO received_at;
ALTER TABLE webhook_events RENAME CONSTRAINT incoming_events_marketplace_digest_pk TO webhook_events_marketplace_digest_pk;
ALTER INDEX incoming_events_came_at_idx RENAME TO webhook_events_received_at_idx;

ALTER TABLE read_wishes RENAME TO sync_requests;
ALTER TABLE sync_requests RENAME COLUMN what TO kind;
ALTER TABLE sync_requests RENAME COLUMN asked_at TO requested_at;
ALTER TABLE sync_requests RENAME CONSTRAINT what_known TO kind_known;
ALTER TABLE sync_requests RENAME CONSTRAINT read_wishes_marketplace_what_pk TO sync_requests_marketplace_kind_pk;

ALTER TABLE marketplace_reads RENAME TO marketplace_syncs;
ALTER TABLE marketplace_syncs RENAME COLUMN what TO kind;
ALTER TABLE marketplace_syncs RENAME COLUMN began_at TO started_at;
ALTER TABLE marketplace_syncs RENAME CONSTRAINT what_known TO kind_known;
ALTER TABLE marketplace_syncs RENAME CONSTRAINT marketplace_reads_marketplace_what_pk TO marketplace_syncs_marketplace_kind_pk;

-- Triggers that list these columns follow them; functions are text, and are made anew below.
ALTER TABLE marketplace_listings RENAME COLUMN not_repriced TO not_repriceable_reason;
ALTER TABLE marketplace_listings RENAME CONSTRAINT not_repriced_filled TO not_repriceable_reason_filled;
-- Missing to one sync alone, which is not yet what `listings.missing_since` says.
ALTER TABLE marketplace_listings RENAME COLUMN missing_since TO unseen_since;
ALTER TABLE marketplace_listings RENAME COLUMN price_read_term TO price_verified_generation;
ALTER TABLE integrations RENAME COLUMN term TO generation;
ALTER TABLE integrations RENAME COLUMN read_asked_at TO sync_requested_at;
ALTER TABLE listings RENAME COLUMN gone_since TO missing_since;
ALTER TABLE price_intents RENAME COLUMN answer TO marketplace_message;
ALTER TABLE price_intents RENAME COLUMN refusal_stands TO is_refusal_active;

ALTER TABLE leases RENAME COLUMN duty TO name;
ALTER TABLE leases RENAME CONSTRAINT duty_filled TO name_filled;

ALTER TABLE imports RENAME COLUMN begun_at TO started_at;
ALTER TABLE imports RENAME COLUMN fault TO error;
ALTER TABLE import_lines RENAME COLUMN verdict TO status;
ALTER TABLE import_lines RENAME COLUMN what TO label;
ALTER TABLE import_lines RENAME CONSTRAINT verdict_known TO status_known;
ALTER TABLE import_lines RENAME CONSTRAINT import_lines_import_id_verdict_number_pk TO import_lines_import_id_status_number_pk;

ALTER TABLE sessions RENAME COLUMN proved_at TO step_up_at;
ALTER TABLE users RENAME COLUMN two_factor_begun_at TO two_factor_started_at;
ALTER TABLE login_attempts RENAME COLUMN door TO kind;
ALTER TABLE login_attempts RENAME CONSTRAINT login_attempts_door_subject_pk TO login_attempts_kind_subject_pk;

-- As in 0037, by the new names. Replacing a function drops its settings: they are those of 0014.
CREATE OR REPLACE FUNCTION edited_listings_are_due() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = on SET enable_nestloop = off
AS $$
BEGIN
  PERFORM mark_due((
    SELECT array_agg(n.id) FROM changed n JOIN before o ON o.id = n.id
    WHERE n.deleted_at IS NULL AND (
      n.marketplace, n.sku, n.fulfillment_type, n.auto_repricing_enabled, n.rule_id, n.shipping_cost, n.shipping_charge,
      n.fulfillment_cost, n.fee_category, n.min_price, n.max_price, n.held_until, n.held_by, n.bundle_unconfirmed,
      n.anchor_price, n.deleted_at, n.missing_since
    ) IS DISTINCT FROM (
      o.marketplace, o.sku, o.fulfillment_type, o.auto_repricing_enabled, o.rule_id, o.shipping_cost, o.shipping_charge,
      o.fulfillment_cost, o.fee_category, o.min_price, o.max_price, o.held_until, o.held_by, o.bundle_unconfirmed,
      o.anchor_price, o.deleted_at, o.missing_since
    ) OR (n.deleted_at IS NULL AND n.awaiting_upload_since IS NULL AND o.awaiting_upload_since IS NOT NULL)
  ), 'listing');
  RETURN NULL;
END
$$;

-- As in 0038, by the new names.
DROP TRIGGER listings_lift_refusals ON listings;
DROP TRIGGER marketplace_listings_lift_refusals ON marketplace_listings;
DROP TRIGGER integrations_lift_refusals ON integrations;
DROP FUNCTION new_catalogue_data_lifts_refusals();
DROP FUNCTION new_marketplace_data_lifts_refusals();
DROP FUNCTION new_credentials_lift_refusals();
DROP FUNCTION lift_refusals(bigint[]);

CREATE FUNCTION clear_refusals(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cleared bigint[];
BEGIN
  WITH ended AS (
    UPDATE price_intents SET is_refusal_active = false WHERE is_refusal_active AND listing_id = ANY (ids)
    RETURNING listing_id
  )
  SELECT array_agg(listing_id) INTO cleared FROM ended;
  PERFORM mark_due(cleared, 'refusal');
END
$$;

CREATE FUNCTION new_catalog_data_clears_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM clear_refusals(ARRAY[NEW.id]);
  RETURN NULL;
END
$$;
-- By row and by column: most statements on listings name none of these, and cost nothing then.
CREATE TRIGGER listings_clear_refusals
  AFTER UPDATE OF sku, title, marketplace_item_id, fulfillment_type, shipping_charge, deleted_at ON listings
  FOR EACH ROW WHEN (
    (OLD.sku, OLD.title, OLD.marketplace_item_id, OLD.fulfillment_type, OLD.shipping_charge, OLD.deleted_at)
    IS DISTINCT FROM
    (NEW.sku, NEW.title, NEW.marketplace_item_id, NEW.fulfillment_type, NEW.shipping_charge, NEW.deleted_at)
  ) EXECUTE FUNCTION new_catalog_data_clears_refusals();

CREATE FUNCTION new_marketplace_data_clears_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM clear_refusals(ARRAY[NEW.listing_id]);
  RETURN NULL;
END
$$;
CREATE TRIGGER marketplace_listings_clear_refusals
  AFTER UPDATE OF keys, is_active, not_repriceable_reason ON marketplace_listings
  FOR EACH ROW WHEN (
    (OLD.keys, OLD.is_active, OLD.not_repriceable_reason) IS DISTINCT FROM
    (NEW.keys, NEW.is_active, NEW.not_repriceable_reason)
  ) EXECUTE FUNCTION new_marketplace_data_clears_refusals();

-- Other credentials may be another account, or one that is let do more.
CREATE FUNCTION new_credentials_clear_refusals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM clear_refusals((
    SELECT array_agg(listing_id) FROM price_intents WHERE is_refusal_active AND marketplace = NEW.marketplace
  ));
  RETURN NULL;
END
$$;
CREATE TRIGGER integrations_clear_refusals AFTER UPDATE OF revision, price_channel ON integrations
  FOR EACH ROW WHEN ((OLD.revision, OLD.price_channel) IS DISTINCT FROM (NEW.revision, NEW.price_channel))
  EXECUTE FUNCTION new_credentials_clear_refusals();

-- As in 0045, by the new names.
DROP TRIGGER integrations_term ON integrations;
DROP FUNCTION connecting_begins_a_term();
CREATE FUNCTION connecting_starts_a_generation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.generation := OLD.generation + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER integrations_generation BEFORE UPDATE OF price_channel ON integrations
  FOR EACH ROW WHEN (NEW.price_channel = 'connected' AND OLD.price_channel <> 'connected')
  EXECUTE FUNCTION connecting_starts_a_generation();
