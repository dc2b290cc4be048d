-- The marketplace did not find a listing right before its price was to be sent: it is asked a second time before that is final.
ALTER TABLE send_pauses DROP CONSTRAINT why_known;
ALTER TABLE send_pauses ADD CONSTRAINT why_known CHECK (why in ('daily_limit', 'revision_limit', 'too_new', 'unclear', 'not_told', 'business_price', 'not_found'));
