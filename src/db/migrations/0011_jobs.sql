-- Jobs outlive the process that runs them: when one was last handed to the queue, and how often it was begun.

ALTER TABLE jobs ADD COLUMN sent_at timestamptz(3);
ALTER TABLE jobs ADD COLUMN attempts integer DEFAULT 0 NOT NULL;
ALTER TABLE jobs ADD CONSTRAINT attempts_range CHECK (attempts between 0 and 2147483647);
