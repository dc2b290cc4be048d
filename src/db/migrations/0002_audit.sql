-- What happened and who did it: rows are added, never changed.

CREATE TABLE audit_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) DEFAULT now() NOT NULL,
  actor_id text,
  actor text,
  action text NOT NULL,
  target_kind text,
  target_id text,
  before jsonb,
  after jsonb,
  address text,
  request_id text,
  CONSTRAINT action_filled CHECK (char_length(btrim(audit_log.action)) between 1 and 100)
);

CREATE INDEX audit_log_at_idx ON audit_log (at);
CREATE INDEX audit_log_target_idx ON audit_log (target_kind,target_id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% refused: rows of % are only ever added', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER audit_log_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
