-- What a category charges is read from the sales of all its listings.
CREATE INDEX fee_facts_category_idx ON fee_facts (category_told, told_at DESC) WHERE category_told is not null;
