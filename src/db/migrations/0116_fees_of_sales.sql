-- A fee that was taken of a sale is replaced when the figures of the sale change.
ALTER TABLE fee_facts ADD COLUMN sale_id bigint;
ALTER TABLE fee_facts ADD CONSTRAINT fee_facts_sale_id_sales_history_id_fk FOREIGN KEY (sale_id) REFERENCES sales_history(id) ON DELETE SET NULL;
ALTER TABLE fee_facts ADD CONSTRAINT sale_of_settled_only CHECK (source = 'settled' or sale_id is null);
CREATE INDEX fee_facts_sale_idx ON fee_facts (sale_id) WHERE sale_id is not null;
