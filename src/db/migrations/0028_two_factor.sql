-- Since when an account has a second factor, and when the set-up began that waits for its first code.
ALTER TABLE users ADD COLUMN two_factor_since timestamptz(3);
ALTER TABLE users ADD COLUMN two_factor_begun_at timestamptz(3);

-- A typed code is looked up by its first group and compared with one hash instead of ten. No release has made codes yet.
ALTER TABLE recovery_codes ADD COLUMN handle text NOT NULL;
CREATE UNIQUE INDEX recovery_codes_user_id_handle_key ON recovery_codes (user_id, handle);
DROP INDEX recovery_codes_user_id_idx;
