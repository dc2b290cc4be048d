-- How often competitors followed when a price was raised, as worked out last for a listing whose rule asks. A null share is
-- fewer than three occasions.
CREATE TABLE follow_shares (
  listing_id bigint PRIMARY KEY,
  share numeric(5, 2),
  counted_hash text NOT NULL,
  known_at timestamptz(3) NOT NULL,
  CONSTRAINT share_range CHECK (share between 0 and 100),
  CONSTRAINT counted_hash_filled CHECK (char_length(btrim(counted_hash)) between 1 and 64),
  CONSTRAINT follow_shares_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
) WITH (fillfactor = 80);
