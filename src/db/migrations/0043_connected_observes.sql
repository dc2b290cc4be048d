-- A marketplace that was armed observes once prices begin to be sent there, or to another account: why, for screens.
ALTER TABLE engine_states ADD COLUMN observes_because text;
ALTER TABLE engine_states ADD CONSTRAINT observes_because_known CHECK (observes_because in ('connected', 'account'));
ALTER TABLE engine_states ADD CONSTRAINT armed_is_no_observing CHECK (mode = 'observe' or observes_because is null);
