-- The orders of the list with the usual filters in them: a filtered page or count reads an index alone, and no keys. Behind
-- the id, which is unique, they change no order.

DROP INDEX listing_keys_marketplace_idx;
CREATE INDEX listing_keys_marketplace_idx ON listing_keys (marketplace, listing_id, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_sku_idx;
CREATE INDEX listing_keys_sku_idx ON listing_keys (sku_key, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_title_idx;
CREATE INDEX listing_keys_title_idx ON listing_keys (title_key, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_current_price_idx;
CREATE INDEX listing_keys_current_price_idx ON listing_keys (current_price, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_total_cost_idx;
CREATE INDEX listing_keys_total_cost_idx ON listing_keys (total_cost, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_margin_idx;
CREATE INDEX listing_keys_margin_idx ON listing_keys (margin, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_amazon_walmart_idx;
CREATE INDEX listing_keys_amazon_walmart_idx ON listing_keys (amazon_walmart_price, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_fba_wfs_idx;
CREATE INDEX listing_keys_fba_wfs_idx ON listing_keys (third_party_fba_wfs_price, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;
DROP INDEX listing_keys_fbm_idx;
CREATE INDEX listing_keys_fbm_idx ON listing_keys (third_party_fbm_price, listing_id, marketplace, fulfillment_type, is_repriceable, floor_side, is_recommended, is_off, is_to_upload) WHERE is_live;

-- The history of one person or one rule is in order as it stands in its index.
DROP INDEX price_history_actor_idx;
CREATE INDEX price_history_actor_idx ON price_history (actor, timestamp, id, listing_id) WHERE actor is not null;
DROP INDEX price_history_rule_idx;
CREATE INDEX price_history_rule_idx ON price_history (rule_id, timestamp, id, listing_id) WHERE rule_id is not null;

-- The few deleted listings, whose history is still read.
CREATE INDEX listing_keys_gone_idx ON listing_keys (marketplace, listing_id) WHERE not is_live;
