-- Why marketplaces were last reset, by the words of the documentation. The row of `installation` counts as written by a
-- heartbeat while it names the transaction that wrote it. This step writes it: it names itself if the row counted before,
-- else no transaction, so that a restored dump is still detected.

ALTER TABLE installation DROP CONSTRAINT setback_known;
ALTER TABLE installation RENAME COLUMN setback TO rollback_kind;
ALTER TABLE installation RENAME COLUMN setback_at TO rollback_at;
ALTER TABLE installation RENAME CONSTRAINT setback_whole TO rollback_whole;
UPDATE installation
  SET rollback_kind = CASE rollback_kind WHEN 'restore' THEN 'restored_backup' ELSE 'downtime' END,
    written_by = CASE WHEN xmin::text = written_by THEN pg_current_xact_id()::xid::text ELSE 'restored' END
  WHERE rollback_kind IS NOT NULL;
ALTER TABLE installation ADD CONSTRAINT rollback_kind_known CHECK (rollback_kind in ('restored_backup', 'downtime'));

-- An open alert is recognized by its subject.
UPDATE alerts SET subject = CASE subject WHEN 'restore' THEN 'restored_backup' ELSE 'downtime' END
  WHERE kind = 'mode_reset' AND subject IN ('restore', 'rest');
