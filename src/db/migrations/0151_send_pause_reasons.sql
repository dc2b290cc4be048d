-- The marketplace does not say whether a sale or another repricer sets a price; business prices that cannot follow are too low.
ALTER TABLE send_pauses DROP CONSTRAINT why_known;
ALTER TABLE send_pauses ADD CONSTRAINT why_known CHECK (why in ('daily_limit', 'revision_limit', 'too_new', 'unclear', 'not_told', 'business_price'));
