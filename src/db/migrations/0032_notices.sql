-- What people have to know of: each from when it began to when it was over, told once while it lasts.

CREATE TABLE notices (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  link text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  mailed_at timestamptz(3),
  CONSTRAINT kind_known CHECK (kind in ('halted', 'disarmed', 'no_check', 'unknown', 'refused', 'connection', 'credentials', 'below_floor', 'idle_rule')),
  CONSTRAINT subject_filled CHECK (char_length(btrim(subject)) between 1 and 100),
  CONSTRAINT message_filled CHECK (char_length(btrim(message)) between 1 and 2000),
  CONSTRAINT link_filled CHECK (char_length(btrim(link)) between 1 and 500),
  CONSTRAINT ends_after_start CHECK (ended_at >= began_at)
);
CREATE UNIQUE INDEX notices_open_key ON notices (kind, subject) WHERE ended_at is null;
CREATE INDEX notices_ended_at_idx ON notices (ended_at);

CREATE TABLE notice_looks (
  user_id text PRIMARY KEY NOT NULL,
  looked_at timestamptz(3) NOT NULL,
  CONSTRAINT notice_looks_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
