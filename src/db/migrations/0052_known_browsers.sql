-- Browsers that an account has signed in with before: their tries at the sign-in are counted apart from those of strangers,
-- so that nobody else can use them up. A mark opens nothing; only the SHA-256 of its token is stored.

CREATE TABLE known_browsers (
  token_hash text PRIMARY KEY NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_at timestamptz(3) NOT NULL,
  CONSTRAINT known_browsers_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX known_browsers_user_id_idx ON known_browsers (user_id);
CREATE INDEX known_browsers_used_at_idx ON known_browsers (used_at);
