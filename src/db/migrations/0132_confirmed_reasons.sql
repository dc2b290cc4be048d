-- What a user who is asked before changing a price in spite of a sale or the marketplace's own repricer has to know.
ALTER TABLE marketplace_listings
  ADD COLUMN reason_confirmable boolean NOT NULL DEFAULT false,
  ADD COLUMN reason_until timestamptz(3),
  -- Of a reason that was found right before a price was sent: only some syncs tell when it is over.
  ADD COLUMN reason_expires_at timestamptz(3);

-- Until the next sync tells it: of these Amazon keeps what runs when the price below it changes.
UPDATE marketplace_listings m SET reason_confirmable = true
FROM listings l
WHERE l.id = m.listing_id AND l.marketplace = 'amazon'
  AND m.not_repriceable_reason IN ('A sale price runs on Amazon.', 'Amazon''s Automate Pricing sets this price.');
