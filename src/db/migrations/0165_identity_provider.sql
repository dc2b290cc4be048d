-- OpenID Connect: one identity provider, who logged in with it, and logins under way.
CREATE TABLE identity_provider (
  id text PRIMARY KEY DEFAULT 'default',
  is_on boolean NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret text,
  label text NOT NULL,
  scopes text[] NOT NULL,
  groups_claim text NOT NULL,
  admin_groups text[] NOT NULL,
  user_groups text[] NOT NULL,
  links_accounts boolean NOT NULL,
  creates_accounts boolean NOT NULL,
  second_factor text NOT NULL,
  factor_acrs text[] NOT NULL,
  direct_login text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT id_known CHECK (identity_provider.id in ('default')),
  CONSTRAINT issuer_filled CHECK (char_length(btrim(identity_provider.issuer)) between 1 and 500),
  CONSTRAINT client_id_filled CHECK (char_length(btrim(identity_provider.client_id)) between 1 and 200),
  CONSTRAINT label_filled CHECK (char_length(btrim(identity_provider.label)) between 1 and 40),
  CONSTRAINT groups_claim_filled CHECK (char_length(btrim(identity_provider.groups_claim)) between 1 and 200),
  CONSTRAINT second_factor_known CHECK (identity_provider.second_factor in ('provider', 'reported')),
  CONSTRAINT direct_login_known CHECK (identity_provider.direct_login in ('all', 'administrators')),
  CONSTRAINT version_range CHECK (identity_provider.version between 1 and 2147483647)
);

-- Kept without a user after an account was removed: otherwise the next login would create it again.
CREATE TABLE login_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text CONSTRAINT login_identities_user_id_users_id_fk REFERENCES users (id) ON DELETE SET NULL,
  linked_at timestamp(3) with time zone NOT NULL,
  last_login_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT login_identities_issuer_subject_pk PRIMARY KEY (issuer, subject),
  CONSTRAINT issuer_filled CHECK (char_length(btrim(login_identities.issuer)) between 1 and 500),
  CONSTRAINT subject_filled CHECK (char_length(btrim(login_identities.subject)) between 1 and 255)
);
CREATE UNIQUE INDEX login_identities_user_id_issuer_key ON login_identities (user_id, issuer);

CREATE TABLE provider_logins (
  token_hash text PRIMARY KEY,
  session_id text CONSTRAINT provider_logins_session_id_sessions_id_fk REFERENCES sessions (id) ON DELETE CASCADE,
  provider_version integer NOT NULL,
  redirect_uri text NOT NULL,
  return_to text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT provider_version_range CHECK (provider_logins.provider_version between 1 and 2147483647),
  CONSTRAINT redirect_uri_filled CHECK (char_length(btrim(provider_logins.redirect_uri)) between 1 and 500),
  CONSTRAINT return_to_filled CHECK (char_length(btrim(provider_logins.return_to)) between 1 and 2000)
);
CREATE INDEX provider_logins_session_id_idx ON provider_logins (session_id);
CREATE INDEX provider_logins_expires_at_idx ON provider_logins (expires_at);

-- Null for users who log in with the identity provider alone.
ALTER TABLE users ALTER COLUMN password DROP NOT NULL;
-- An administrator withdrew the role here: groups of the identity provider do not give it again.
ALTER TABLE users ADD COLUMN was_demoted boolean DEFAULT false NOT NULL;

ALTER TABLE sessions ADD COLUMN by_provider boolean DEFAULT false NOT NULL;
ALTER TABLE sessions ADD COLUMN has_second_factor boolean DEFAULT false NOT NULL;
