-- A lease names the advisory lock that the database session of its holder keeps: whoever can take that lock knows that
-- the session is gone, and need not wait for the end of the lease.

ALTER TABLE leases ADD COLUMN session_key integer;
