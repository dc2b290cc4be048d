-- Consents that somebody went to a marketplace for: each is answered once, by the browser that went.

CREATE TABLE consents (
  state_hash text PRIMARY KEY NOT NULL,
  marketplace text NOT NULL,
  session_id text NOT NULL,
  verifier_encrypted text NOT NULL,
  return_to text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT marketplace_known CHECK (marketplace in ('ebay', 'etsy')),
  CONSTRAINT return_to_filled CHECK (char_length(btrim(return_to)) between 1 and 500),
  CONSTRAINT consents_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX consents_session_id_idx ON consents (session_id);
CREATE INDEX consents_expires_at_idx ON consents (expires_at);
