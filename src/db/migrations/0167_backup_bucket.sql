-- Where backups go: a folder of the server, or a bucket of an S3-compatible service. The secret key is ciphertext.
ALTER TABLE backup_settings
  ADD COLUMN destination text DEFAULT 'folder' NOT NULL,
  ADD COLUMN s3_endpoint text,
  ADD COLUMN s3_region text,
  ADD COLUMN s3_bucket text,
  ADD COLUMN s3_prefix text DEFAULT '' NOT NULL,
  ADD COLUMN s3_path_style boolean DEFAULT true NOT NULL,
  ADD COLUMN s3_access_key_id text,
  ADD COLUMN s3_secret_key text,
  ADD CONSTRAINT destination_known CHECK (backup_settings.destination in ('folder', 's3')),
  ADD CONSTRAINT s3_endpoint_filled CHECK (char_length(btrim(backup_settings.s3_endpoint)) between 1 and 300),
  ADD CONSTRAINT s3_region_filled CHECK (char_length(btrim(backup_settings.s3_region)) between 1 and 40),
  ADD CONSTRAINT s3_bucket_filled CHECK (char_length(btrim(backup_settings.s3_bucket)) between 1 and 63),
  ADD CONSTRAINT s3_prefix_length CHECK (char_length(backup_settings.s3_prefix) <= 500),
  ADD CONSTRAINT s3_access_key_id_filled CHECK (char_length(btrim(backup_settings.s3_access_key_id)) between 1 and 200),
  ADD CONSTRAINT s3_whole CHECK (backup_settings.destination <> 's3' or (backup_settings.s3_endpoint is not null and backup_settings.s3_region is not null and backup_settings.s3_bucket is not null and backup_settings.s3_access_key_id is not null));
