-- Runs that wait for the engine and can be taken up again, what the last decision said, and jobs that people watch.

ALTER TABLE repricing_runs DROP CONSTRAINT state_known;
ALTER TABLE repricing_runs ADD CONSTRAINT state_known CHECK (state in ('queued', 'running', 'done', 'stopped', 'failed'));
ALTER TABLE repricing_runs ADD COLUMN planned integer;
ALTER TABLE repricing_runs ADD COLUMN swept_to bigint;
ALTER TABLE repricing_runs ADD CONSTRAINT planned_range CHECK (planned between 0 and 2147483647);
-- One engine at a time decides; whoever takes over finds the run that was cut off here.
CREATE UNIQUE INDEX repricing_runs_one_running ON repricing_runs (state) WHERE state = 'running' and trigger in ('due', 'sweep', 'person');

ALTER TABLE listing_metrics ADD COLUMN decided_price numeric(10, 2);
ALTER TABLE listing_metrics ADD CONSTRAINT decided_price_range CHECK (decided_price between 0.01 and 99999999.99);
ALTER TABLE listing_metrics ADD COLUMN gate text;
ALTER TABLE listing_metrics ADD COLUMN gaps text[] DEFAULT '{}'::text[] NOT NULL;
ALTER TABLE listing_metrics ADD COLUMN run_id bigint;
ALTER TABLE listing_metrics ADD CONSTRAINT listing_metrics_run_id_repricing_runs_id_fk
  FOREIGN KEY (run_id) REFERENCES repricing_runs(id) ON DELETE RESTRICT;

CREATE SEQUENCE due_marks_seq;
ALTER TABLE due_listings ADD COLUMN mark bigint DEFAULT nextval('due_marks_seq') NOT NULL;

CREATE TABLE jobs (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  title text NOT NULL,
  state text DEFAULT 'queued' NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  total integer,
  summary text,
  link text,
  work jsonb NOT NULL,
  is_cancel_wanted boolean DEFAULT false NOT NULL,
  created_by_id text,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  CONSTRAINT kind_known CHECK (kind in ('import', 'edit_listings', 'apply', 'export')),
  CONSTRAINT state_known CHECK (state in ('queued', 'running', 'done', 'partly_done', 'failed', 'cancelled')),
  CONSTRAINT title_filled CHECK (char_length(btrim(title)) between 1 and 300),
  CONSTRAINT done_range CHECK (done between 0 and 2147483647),
  CONSTRAINT failed_range CHECK (failed between 0 and 2147483647),
  CONSTRAINT total_range CHECK (total between 0 and 2147483647),
  CONSTRAINT failure_says_why CHECK (state <> 'failed' or summary is not null)
);
CREATE INDEX jobs_created_at_idx ON jobs (created_at);
CREATE INDEX jobs_open_idx ON jobs (id) WHERE state in ('queued', 'running');

-- Facts about the installation itself that are set once: the fees were checked, the set-up card was closed.
CREATE TABLE milestones (
  name text PRIMARY KEY NOT NULL,
  reached_at timestamptz(3) NOT NULL,
  reached_by text,
  CONSTRAINT name_known CHECK (name in ('fees_checked', 'looked', 'setup_dismissed', 'demo'))
);
