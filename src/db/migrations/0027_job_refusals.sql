-- What a job over many listings left out, all of it, and the run that holds the prices it moved.
ALTER TABLE jobs ADD COLUMN run_id bigint;
ALTER TABLE jobs ADD CONSTRAINT jobs_run_id_repricing_runs_id_fk
  FOREIGN KEY (run_id) REFERENCES repricing_runs(id) ON DELETE RESTRICT;

CREATE TABLE job_refusals (
  job_id bigint NOT NULL,
  listing_id bigint NOT NULL,
  sku text NOT NULL,
  message text NOT NULL,
  CONSTRAINT job_refusals_job_id_listing_id_pk PRIMARY KEY (job_id, listing_id),
  CONSTRAINT job_refusals_job_id_jobs_id_fk FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  CONSTRAINT job_refusals_listing_id_listings_id_fk FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
