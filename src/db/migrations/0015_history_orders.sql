-- The price history newest first, for everybody, one source, one person or one rule, found without the wide rows.

DROP INDEX price_history_timestamp_idx;
CREATE INDEX price_history_timestamp_idx ON price_history (timestamp, id, listing_id);
CREATE INDEX price_history_source_idx ON price_history (source, timestamp, id, listing_id);
CREATE INDEX price_history_actor_idx ON price_history (actor, timestamp) WHERE actor is not null;
CREATE INDEX price_history_rule_idx ON price_history (rule_id, timestamp) WHERE rule_id is not null;

-- Of deleted listings too: the price history still names them.
DROP INDEX listings_search_idx;
CREATE INDEX listings_search_idx ON listings USING gin (lower(sku || E'\n' || title) gin_trgm_ops);
