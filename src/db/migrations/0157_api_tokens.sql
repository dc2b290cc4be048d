-- Tokens of programs that call the API. Only the SHA-256 of a token is stored.
CREATE TABLE api_tokens (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  token_hash text NOT NULL CONSTRAINT api_tokens_token_hash_unique UNIQUE,
  user_id text NOT NULL CONSTRAINT api_tokens_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  scopes text[] NOT NULL,
  calls_per_minute integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  last_network text,
  minute_started_at timestamp(3) with time zone,
  minute_calls integer DEFAULT 0 NOT NULL,
  CONSTRAINT name_filled CHECK (char_length(btrim(api_tokens.name)) between 1 and 60),
  CONSTRAINT api_token_scopes CHECK (api_tokens.scopes <@ ARRAY['read', 'prices', 'catalog', 'engine'] and cardinality(api_tokens.scopes) between 1 and 4),
  CONSTRAINT calls_per_minute_range CHECK (api_tokens.calls_per_minute between 1 and 600),
  CONSTRAINT minute_calls_range CHECK (api_tokens.minute_calls between 0 and 2147483647),
  CONSTRAINT api_token_life CHECK (api_tokens.expires_at > api_tokens.created_at and api_tokens.expires_at <= api_tokens.created_at + interval '366 days')
);
CREATE UNIQUE INDEX api_tokens_user_id_name_key ON api_tokens (user_id, lower(name));

-- The name of the token that a change was made with. The permit of a request sets it for its transaction, so that no
-- statement that writes a row can forget it.
ALTER TABLE audit_log ADD COLUMN token text DEFAULT nullif(current_setting('pricewright.api_token', true), '');
