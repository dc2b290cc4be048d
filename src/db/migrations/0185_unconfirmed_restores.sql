-- Since when a restored or copied database acts on nothing outside, until an administrator confirms that it replaces the original.
ALTER TABLE repricing_state ADD COLUMN unconfirmed_restore_at timestamp(3) with time zone;
