-- Which price a sale was made at is looked up by its time in the ledger of its listing.
CREATE INDEX price_history_listing_time_idx ON price_history (listing_id, timestamp, id);
