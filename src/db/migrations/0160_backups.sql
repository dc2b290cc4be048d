-- The schedule of backups, and how the last one went; one row. The passphrase is ciphertext.
CREATE TABLE backup_settings (
  id text PRIMARY KEY DEFAULT 'default' NOT NULL,
  is_on boolean,
  minute_of_day integer DEFAULT 180 NOT NULL,
  folder text,
  keep_daily integer DEFAULT 7 NOT NULL,
  keep_weekly integer DEFAULT 4 NOT NULL,
  keep_monthly integer DEFAULT 6 NOT NULL,
  encrypts boolean DEFAULT false NOT NULL,
  passphrase text,
  since timestamp(3) with time zone DEFAULT now() NOT NULL,
  requested_at timestamp(3) with time zone,
  last_file text,
  last_taken_at timestamp(3) with time zone,
  last_bytes bigint,
  is_on_data_disk boolean,
  failed_at timestamp(3) with time zone,
  failures integer DEFAULT 0 NOT NULL,
  problem text,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT one_row CHECK (backup_settings.id = 'default'),
  CONSTRAINT minute_of_day_range CHECK (backup_settings.minute_of_day between 0 and 1439),
  CONSTRAINT folder_filled CHECK (char_length(btrim(backup_settings.folder)) between 1 and 500),
  CONSTRAINT keep_daily_range CHECK (backup_settings.keep_daily between 1 and 366),
  CONSTRAINT keep_weekly_range CHECK (backup_settings.keep_weekly between 0 and 260),
  CONSTRAINT keep_monthly_range CHECK (backup_settings.keep_monthly between 0 and 120),
  CONSTRAINT last_file_filled CHECK (char_length(btrim(backup_settings.last_file)) between 1 and 1000),
  CONSTRAINT last_bytes_range CHECK (backup_settings.last_bytes between 0 and 9007199254740991),
  CONSTRAINT last_whole CHECK ((backup_settings.last_file is null) = (backup_settings.last_taken_at is null) and (backup_settings.last_file is null) = (backup_settings.last_bytes is null)),
  CONSTRAINT failures_range CHECK (backup_settings.failures between 0 and 2147483647),
  CONSTRAINT problem_filled CHECK (char_length(btrim(backup_settings.problem)) between 1 and 2000),
  CONSTRAINT failure_whole CHECK ((backup_settings.failed_at is null) = (backup_settings.problem is null) and (backup_settings.failed_at is null) = (backup_settings.failures = 0))
);
INSERT INTO backup_settings DEFAULT VALUES;

-- The backups in the folder of the schedule, as it last saw them.
CREATE TABLE backup_files (
  folder text NOT NULL,
  name text NOT NULL,
  taken_at timestamp(3) with time zone NOT NULL,
  bytes bigint NOT NULL,
  is_encrypted boolean NOT NULL,
  checked_at timestamp(3) with time zone,
  CONSTRAINT backup_files_folder_name_pk PRIMARY KEY (folder, name),
  CONSTRAINT folder_filled CHECK (char_length(btrim(backup_files.folder)) between 1 and 1000),
  CONSTRAINT name_filled CHECK (char_length(btrim(backup_files.name)) between 1 and 100),
  CONSTRAINT bytes_range CHECK (backup_files.bytes between 0 and 9007199254740991)
);

ALTER TABLE alerts DROP CONSTRAINT kind_known;
ALTER TABLE alerts ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'mode_reset', 'no_check', 'sending_stuck', 'external_edit', 'unknown', 'refused', 'sending_paused', 'connection', 'credentials', 'fee_breaker', 'fee_drift', 'backup', 'lowered_floors', 'hidden_clients', 'below_floor', 'business_price', 'rule_inactive'));
