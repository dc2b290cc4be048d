-- Where the columns of a file were chosen from, and what its header leaves open.
ALTER TABLE imports ADD COLUMN chosen_from jsonb DEFAULT '{"guessed": [], "remembered": null, "separator": ","}'::jsonb NOT NULL;

-- What people chose for files of a kind with the same headings; the next such file begins with it.
CREATE TABLE import_choices (
  kind text NOT NULL,
  -- SHA-256 over the headings, without regard to case, spaces, underscores and order.
  header_key text NOT NULL,
  columns jsonb NOT NULL,
  defaults jsonb NOT NULL,
  readings jsonb NOT NULL,
  chosen_by text NOT NULL,
  chosen_at timestamp (3) with time zone NOT NULL,
  CONSTRAINT import_choices_kind_header_key_pk PRIMARY KEY (kind, header_key),
  CONSTRAINT kind_known CHECK (kind in ('skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees'))
);
