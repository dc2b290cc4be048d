-- Views that people save of a list: its filters and order, columns and row height. Deleted ones are only marked.

CREATE TABLE saved_views (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  owner_id text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  query jsonb NOT NULL,
  layout jsonb NOT NULL,
  is_shared boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT list_known CHECK (list in ('listings', 'history', 'skus')),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 80),
  CONSTRAINT saved_views_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_key ON saved_views (owner_id, list, lower(name)) WHERE deleted_at is null;
CREATE INDEX saved_views_shared_idx ON saved_views (list) WHERE is_shared and deleted_at is null;
