-- A lowest allowed price is remembered from when its marketplace was armed: where it never was, there is none to fall.
UPDATE listing_metrics m SET lowest_allowed = NULL FROM listings l
WHERE l.id = m.listing_id AND m.lowest_allowed IS NOT NULL AND l.marketplace IN (
  SELECT marketplace FROM engine_states e WHERE e.mode = 'observe' AND NOT EXISTS (
    SELECT FROM audit_log a WHERE a.action = 'engine.armed' AND e.marketplace = ANY (string_to_array(a.target_id, ' '))));
