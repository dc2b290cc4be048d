-- What is taken on the total with sales tax, and for each unit.

ALTER TABLE fee_schedules
  ADD COLUMN edge_base text DEFAULT 'revenue' NOT NULL CONSTRAINT edge_base_known CHECK (edge_base in ('revenue', 'with_tax'));
ALTER TABLE fee_bands
  ADD COLUMN percent_taxed numeric(5, 2) DEFAULT 0 NOT NULL CONSTRAINT percent_taxed_range CHECK (percent_taxed between 0 and 100),
  ADD COLUMN per_unit numeric(10, 2) DEFAULT 0 NOT NULL CONSTRAINT per_unit_range CHECK (per_unit between 0 and 99999999.99);
