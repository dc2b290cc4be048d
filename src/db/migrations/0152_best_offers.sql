-- From which price on eBay accepts Best Offers without the seller.
ALTER TABLE marketplace_listings
  ADD COLUMN auto_accept_price numeric(10, 2)
    CONSTRAINT auto_accept_price_range CHECK (auto_accept_price between 0.01 and 99999999.99);
