-- What the check of a file has shown of lowest allowed prices: the import does no more than that.

CREATE TABLE import_falls (
  import_id bigint NOT NULL,
  listing_id bigint NOT NULL,
  before numeric(10, 2) NOT NULL,
  after numeric(10, 2) NOT NULL,
  CONSTRAINT import_falls_import_id_listing_id_pk PRIMARY KEY (import_id, listing_id),
  CONSTRAINT before_range CHECK (before between 0.01 and 99999999.99),
  CONSTRAINT after_range CHECK (after between 0.01 and 99999999.99),
  CONSTRAINT import_falls_import_id_imports_id_fk FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);
