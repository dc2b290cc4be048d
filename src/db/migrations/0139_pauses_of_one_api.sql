-- Calls of a day may be used up in one of a marketplace's APIs, which other listings do not need.
ALTER TABLE send_pauses ADD COLUMN others_may_go boolean NOT NULL DEFAULT false;
