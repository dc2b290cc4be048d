-- The audit log as a list: newest first, also by person, by action and by target, each a walk along an index.

DROP INDEX audit_log_at_idx;
DROP INDEX audit_log_target_idx;
CREATE INDEX audit_log_at_idx ON audit_log (at,id);
CREATE INDEX audit_log_actor_idx ON audit_log (actor,at,id);
CREATE INDEX audit_log_action_idx ON audit_log (action,at,id);
CREATE INDEX audit_log_target_idx ON audit_log (target_kind,target_id,at,id);
