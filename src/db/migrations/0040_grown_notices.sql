-- A notice remembers of how many it told, so that it is told again when there are many more. A marketplace that takes
-- no prices is a notice of its own.

ALTER TABLE notices ADD COLUMN size integer;
ALTER TABLE notices ADD CONSTRAINT size_range CHECK (size between 0 and 2147483647);
ALTER TABLE notices DROP CONSTRAINT kind_known;
ALTER TABLE notices ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'disarmed', 'no_check', 'stuck', 'unknown', 'refused', 'connection', 'credentials', 'below_floor', 'idle_rule'));
