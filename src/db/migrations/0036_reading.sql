-- An order line is one sale, whichever listing of ours it was first told of: it is looked up by its number alone.
CREATE INDEX sales_history_external_id_idx ON sales_history (external_id) WHERE external_id is not null;
