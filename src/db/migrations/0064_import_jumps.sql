-- Costs and weights that the check of a file has shown to change many times over: the import changes no others so.

CREATE TABLE import_jumps (
  import_id bigint NOT NULL,
  sku text NOT NULL,
  field text NOT NULL,
  before text NOT NULL,
  after text NOT NULL,
  CONSTRAINT import_jumps_import_id_sku_field_pk PRIMARY KEY (import_id, sku, field),
  CONSTRAINT field_known CHECK (field in ('productCost', 'weight')),
  CONSTRAINT import_jumps_import_id_imports_id_fk FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);
