-- Files that people bring in: their bytes, what their header says, and what came of them.

CREATE TABLE imports (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  source text DEFAULT 'own' NOT NULL,
  file_name text NOT NULL,
  size integer DEFAULT 0 NOT NULL,
  state text NOT NULL,
  header text[] DEFAULT '{}'::text[] NOT NULL,
  preview jsonb DEFAULT '[]'::jsonb NOT NULL,
  mapping jsonb DEFAULT '{}'::jsonb NOT NULL,
  defaults jsonb DEFAULT '{}'::jsonb NOT NULL,
  raw_quotes boolean DEFAULT false NOT NULL,
  fault text,
  findings jsonb,
  all_or_nothing boolean DEFAULT false NOT NULL,
  job_id bigint,
  begun_at timestamptz(3),
  created_by_id text,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT kind_known CHECK (kind in ('skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees')),
  CONSTRAINT source_known CHECK (source in ('own', 'amazon', 'walmart', 'shopify', 'ebay')),
  CONSTRAINT state_known CHECK (state in ('uploading', 'uploaded', 'checking', 'checked', 'importing', 'done', 'failed')),
  CONSTRAINT file_name_filled CHECK (char_length(btrim(file_name)) between 1 and 255),
  CONSTRAINT size_range CHECK (size between 0 and 2147483647),
  CONSTRAINT failure_says_why CHECK (state <> 'failed' or fault is not null),
  CONSTRAINT imports_job_id_jobs_id_fk FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL
);
CREATE INDEX imports_created_at_idx ON imports (created_at);

CREATE TABLE import_chunks (
  import_id bigint NOT NULL,
  part text NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT import_chunks_import_id_part_number_pk PRIMARY KEY (import_id, part, number),
  CONSTRAINT part_known CHECK (part in ('file', 'rejected')),
  CONSTRAINT number_range CHECK (number between 0 and 2147483647),
  CONSTRAINT import_chunks_import_id_imports_id_fk FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);

CREATE TABLE import_lines (
  import_id bigint NOT NULL,
  verdict text NOT NULL,
  number integer NOT NULL,
  line integer NOT NULL,
  what text NOT NULL,
  details jsonb NOT NULL,
  CONSTRAINT import_lines_import_id_verdict_number_pk PRIMARY KEY (import_id, verdict, number),
  CONSTRAINT verdict_known CHECK (verdict in ('create', 'update', 'unchanged', 'rejected')),
  CONSTRAINT number_range CHECK (number between 0 and 2147483647),
  CONSTRAINT line_range CHECK (line between 1 and 2147483647),
  CONSTRAINT import_lines_import_id_imports_id_fk FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);
