-- Who may use Pricewright, and how sign-ins are counted and kept.

CREATE TABLE login_attempts (
  door text NOT NULL,
  subject text NOT NULL,
  count integer DEFAULT 0 NOT NULL,
  window_started_at timestamptz(3) NOT NULL,
  blocked_until timestamptz(3),
  CONSTRAINT login_attempts_door_subject_pk PRIMARY KEY(door,subject),
  CONSTRAINT count_range CHECK (count between 0 and 2147483647)
);

CREATE TABLE one_time_tokens (
  token_hash text PRIMARY KEY NOT NULL,
  purpose text NOT NULL,
  user_id text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT purpose_known CHECK (purpose in ('setup', 'reset'))
);

CREATE TABLE recovery_codes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id text NOT NULL,
  code_hash text NOT NULL,
  used_at timestamptz(3)
);

CREATE TABLE sessions (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
  token_hash text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  proved_at timestamptz(3) NOT NULL,
  address text,
  user_agent text,
  CONSTRAINT sessions_token_hash_unique UNIQUE(token_hash)
);

CREATE TABLE users (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
  username text NOT NULL,
  password text NOT NULL,
  full_name text NOT NULL,
  email text NOT NULL,
  phone_number text NOT NULL,
  email_verified boolean DEFAULT false NOT NULL,
  email_verification_token text,
  email_verification_expires_at timestamptz(3),
  role text DEFAULT 'user' NOT NULL,
  approved boolean DEFAULT false NOT NULL,
  two_factor_secret text,
  two_factor_enabled boolean DEFAULT false NOT NULL,
  two_factor_last_step bigint,
  must_change_password boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT users_email_verification_token_unique UNIQUE(email_verification_token),
  CONSTRAINT username_filled CHECK (char_length(btrim(username)) between 1 and 254),
  CONSTRAINT email_filled CHECK (char_length(btrim(email)) between 1 and 254),
  CONSTRAINT role_known CHECK (role in ('user', 'admin'))
);

ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE cascade;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE cascade;
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE cascade;
CREATE INDEX login_attempts_window_started_at_idx ON login_attempts (window_started_at);
CREATE INDEX one_time_tokens_expires_at_idx ON one_time_tokens (expires_at);
CREATE INDEX recovery_codes_user_id_idx ON recovery_codes (user_id);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE UNIQUE INDEX users_username_key ON users (lower(username));
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
