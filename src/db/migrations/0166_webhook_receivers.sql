-- Where events are sent to: programs of the seller.
CREATE TABLE webhook_receivers (
  id text PRIMARY KEY,
  name text NOT NULL,
  address text NOT NULL,
  events text[] NOT NULL,
  is_on boolean DEFAULT true NOT NULL,
  off_reason text,
  secret_encrypted text,
  former_secret_encrypted text,
  former_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  rests_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  created_by text NOT NULL,
  CONSTRAINT name_filled CHECK (char_length(btrim(webhook_receivers.name)) between 1 and 60),
  CONSTRAINT address_filled CHECK (char_length(btrim(webhook_receivers.address)) between 1 and 500),
  CONSTRAINT created_by_filled CHECK (char_length(btrim(webhook_receivers.created_by)) between 1 and 254),
  CONSTRAINT off_reason_known CHECK (webhook_receivers.off_reason in ('unsubscribed', 'failing', 'restored')),
  CONSTRAINT off_has_reason CHECK (not webhook_receivers.is_on or webhook_receivers.off_reason is null),
  CONSTRAINT webhook_receiver_events CHECK (webhook_receivers.events <@ ARRAY['price.changed', 'price.rejected', 'repricing.halted', 'repricing.resumed', 'alert.started', 'alert.ended', 'import.finished'] and cardinality(webhook_receivers.events) between 1 and 7)
);
CREATE UNIQUE INDEX webhook_receivers_name_key ON webhook_receivers (lower(name));

-- One event for one receiver. The id is random, never a number: after a restore numbers would be given again, and a
-- receiver would take a new event for an old one. No foreign key: its check would let a fact wait for the end of a
-- receiver, or fail with it.
CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  receiver_id text NOT NULL,
  type text NOT NULL,
  happened_at timestamp(3) with time zone NOT NULL,
  data json NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_at timestamp(3) with time zone,
  CONSTRAINT type_known CHECK (webhook_deliveries.type in ('price.changed', 'price.rejected', 'repricing.halted', 'repricing.resumed', 'alert.started', 'alert.ended', 'import.finished', 'test')),
  CONSTRAINT state_known CHECK (webhook_deliveries.state in ('waiting', 'delivered', 'failed')),
  CONSTRAINT attempts_range CHECK (webhook_deliveries.attempts between 0 and 2147483647),
  CONSTRAINT waits CHECK ((webhook_deliveries.state = 'waiting') = (webhook_deliveries.next_at is not null))
);
CREATE INDEX webhook_deliveries_waiting_idx ON webhook_deliveries (receiver_id, next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_log_idx ON webhook_deliveries (receiver_id, happened_at, id);
CREATE INDEX webhook_deliveries_state_idx ON webhook_deliveries (state, happened_at);

-- Nothing of a response is kept but its status.
CREATE TABLE webhook_attempts (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  delivery_id text NOT NULL CONSTRAINT webhook_attempts_delivery_id_webhook_deliveries_id_fk REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  at timestamp(3) with time zone NOT NULL,
  status integer,
  failure text,
  duration integer NOT NULL,
  CONSTRAINT status_range CHECK (webhook_attempts.status between 100 and 999),
  CONSTRAINT failure_known CHECK (webhook_attempts.failure in ('refused_address', 'timeout', 'unreachable', 'certificate', 'unreadable', 'secret')),
  CONSTRAINT duration_range CHECK (webhook_attempts.duration between 0 and 2147483647),
  CONSTRAINT answered_or_failed CHECK ((webhook_attempts.status is null) <> (webhook_attempts.failure is null))
);
CREATE INDEX webhook_attempts_delivery_id_idx ON webhook_attempts (delivery_id, id);

-- Deliveries come with the fact, in its transaction: neither exists without the other. Their content is written down
-- here, so that every attempt sends the same.
CREATE FUNCTION queue_webhooks(of_type text, happened timestamptz, content json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (receiver_id, type, happened_at, next_at, data)
  SELECT id, of_type, happened, happened, content FROM webhook_receivers WHERE is_on AND of_type = ANY(events);
  IF FOUND THEN
    PERFORM pg_notify('pricewright_webhooks', '');
  END IF;
END
$$;

-- As the API writes times.
CREATE FUNCTION api_time(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Once per statement, and always by the primary key, as move_prices does.
CREATE FUNCTION changed_prices_to_webhooks() RETURNS trigger LANGUAGE plpgsql
  SET enable_mergejoin = off SET enable_hashjoin = off
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_receivers WHERE is_on AND 'price.changed' = ANY(events)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_deliveries (receiver_id, type, happened_at, next_at, data)
  SELECT r.id, 'price.changed', a.timestamp, a.timestamp, json_build_object(
    'id', a.id::text, 'listingId', a.listing_id::text, 'timestamp', api_time(a.timestamp), 'marketplace', l.marketplace,
    'sku', l.sku, 'productTitle', l.title, 'oldPrice', a.old_price::text, 'newPrice', a.new_price::text,
    'source', a.source, 'runId', a.run_id::text)
  FROM appended a JOIN listings l ON l.id = a.listing_id CROSS JOIN webhook_receivers r
  WHERE a.old_price IS NOT NULL AND r.is_on AND 'price.changed' = ANY(r.events);
  PERFORM pg_notify('pricewright_webhooks', '');
  RETURN NULL;
END
$$;
CREATE TRIGGER price_history_webhooks AFTER INSERT ON price_history
  REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION changed_prices_to_webhooks();

CREATE FUNCTION rejected_price_to_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks('price.rejected', coalesce(NEW.settled_at, now()), json_build_object(
    'id', NEW.id::text, 'listingId', NEW.listing_id::text, 'marketplace', NEW.marketplace, 'sku', l.sku,
    'productTitle', l.title, 'fromPrice', NEW.from_price::text, 'price', NEW.price::text,
    'since', api_time(coalesce(NEW.settled_at, now())), 'marketplaceMessage', NEW.marketplace_message))
  FROM listings l WHERE l.id = NEW.listing_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER price_intents_webhooks AFTER UPDATE ON price_intents FOR EACH ROW
  WHEN (NEW.state = 'rejected' AND OLD.state <> 'rejected') EXECUTE FUNCTION rejected_price_to_webhooks();

CREATE FUNCTION halt_to_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks(CASE WHEN NEW.halted THEN 'repricing.halted' ELSE 'repricing.resumed' END, NEW.changed_at,
    json_build_object('isHalted', NEW.halted,
      'haltedBy', CASE WHEN NEW.halted THEN NEW.changed_by END,
      'haltedAt', CASE WHEN NEW.halted THEN api_time(NEW.changed_at) END,
      'haltReason', CASE WHEN NEW.halted THEN NEW.reason END));
  RETURN NULL;
END
$$;
CREATE TRIGGER repricing_state_webhooks AFTER UPDATE ON repricing_state FOR EACH ROW
  WHEN (NEW.halted <> OLD.halted) EXECUTE FUNCTION halt_to_webhooks();

-- What only administrators read does not leave: neither their kinds of alerts nor their sentences.
CREATE FUNCTION alert_to_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind IN ('backup', 'webhook_receiver', 'lowered_floors', 'hidden_clients') THEN
    RETURN NULL;
  END IF;
  PERFORM queue_webhooks(CASE WHEN NEW.ended_at IS NULL THEN 'alert.started' ELSE 'alert.ended' END,
    coalesce(NEW.ended_at, NEW.started_at), json_build_object(
      'id', NEW.id::text, 'kind', NEW.kind, 'message', coalesce(NEW.for_users, NEW.message), 'link', NEW.link,
      'startedAt', api_time(NEW.started_at), 'endedAt', api_time(NEW.ended_at)));
  RETURN NULL;
END
$$;
CREATE TRIGGER alerts_webhooks_insert AFTER INSERT ON alerts FOR EACH ROW
  WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION alert_to_webhooks();
CREATE TRIGGER alerts_webhooks_update AFTER UPDATE ON alerts FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION alert_to_webhooks();

CREATE FUNCTION import_to_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks('import.finished', now(), json_build_object(
    'id', NEW.id::text, 'kind', NEW.kind, 'source', NEW.source, 'fileName', NEW.file_name, 'state', NEW.state,
    'createdBy', NEW.created_by, 'error', NEW.error, 'counts', NEW.findings -> 'counts'));
  RETURN NULL;
END
$$;
CREATE TRIGGER imports_webhooks AFTER UPDATE ON imports FOR EACH ROW
  WHEN (OLD.state = 'importing' AND NEW.state IN ('done', 'failed')) EXECUTE FUNCTION import_to_webhooks();

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'external_edit', 'unknown', 'refused', 'sending_paused', 'connection', 'credentials', 'webhook_receiver', 'fee_breaker', 'fee_drift', 'backup', 'lowered_floors', 'hidden_clients', 'below_floor', 'business_price', 'rule_inactive'));
