-- The limits of the circuit breaker, which were constants before. The ranges are narrow on purpose: no value in them
-- lets everything pass.

ALTER TABLE app_settings
  ADD COLUMN breaker_drop_share numeric(5, 2) DEFAULT 20 NOT NULL,
  ADD COLUMN breaker_drop_depth numeric(5, 2) DEFAULT 10 NOT NULL,
  ADD COLUMN breaker_unusual_share numeric(5, 2) DEFAULT 20 NOT NULL,
  ADD CONSTRAINT breaker_drop_share_range CHECK (breaker_drop_share between 1 and 50),
  ADD CONSTRAINT breaker_drop_depth_range CHECK (breaker_drop_depth between 1 and 25),
  ADD CONSTRAINT breaker_unusual_share_range CHECK (breaker_unusual_share between 1 and 50);
