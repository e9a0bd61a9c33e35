--- unexpired by a parameter
-- expect: client-clock
-- args: order value lease holder epoch now
-- passes: expired
-- refused: taken, regranted, rebuilt, other
-- at: $6
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > $6)

--- renewed by a parameter
-- expect: client-clock
-- args: lease holder now
-- passes: expired
-- at: $3
UPDATE worker_leases SET expires_at = now() + interval '15 s'
WHERE name = $1 AND holder = $2 AND $3 < expires_at

--- the new expiry is a parameter
-- expect: client-clock
-- args: lease holder now
-- passes: held
-- at: $3
UPDATE worker_leases SET expires_at = $3 WHERE name = $1 AND holder = $2 AND expires_at > now()

--- the new expiry is reckoned from a parameter
-- expect: client-clock
-- args: lease holder now
-- passes: held
-- at: $3
UPDATE worker_leases SET expires_at = $3::timestamptz + interval '15 s'
WHERE name = $1 AND holder = $2 AND expires_at > now()

--- granted until a parameter
-- expect: client-clock
-- args: lease holder epoch now
-- passes: gone
-- at: $4
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING

--- granted until a parameter in an upsert
-- expect: client-clock
-- args: lease holder now
-- passes: free
-- at: $3
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, $3)
ON CONFLICT (name) DO UPDATE
SET holder = excluded.holder, epoch = worker_leases.epoch + 1, expires_at = excluded.expires_at
WHERE worker_leases.expires_at < now()

--- read by a parameter
-- expect: client-clock
-- args: now
-- refused: held
-- at: $1
SELECT name, holder FROM worker_leases WHERE expires_at < $1 ORDER BY name

--- read by a parameter in what is selected
-- expect: client-clock
-- args: now
-- refused: held
SELECT name, expires_at > $1 AS is_held FROM worker_leases

--- read by a parameter in a query within
-- expect: client-clock
-- args: now
-- refused: held
SELECT id, (SELECT count(*) FROM worker_leases w WHERE w.expires_at > $1) FROM orders

--- from the epoch of a parameter
-- expect: client-clock
-- args: seconds
-- refused: held
-- at: $1
SELECT name FROM worker_leases WHERE expires_at > to_timestamp($1)

--- a joined parameter
-- expect: client-clock
-- args: now
-- refused: held
SELECT l.name FROM orders o JOIN worker_leases l ON l.name = o.lease_name AND l.expires_at > $1

--- a time to live is no time
-- expect: clean
-- args: lease holder ttl
-- passes: held
UPDATE worker_leases SET expires_at = now() + $3::interval WHERE name = $1 AND holder = $2 AND expires_at > now()

--- a margin is no time
-- expect: clean
-- args: ttl
-- refused: held
SELECT name FROM worker_leases WHERE expires_at > now() + $1::interval

--- another table's time
-- expect: clean
-- args: order now
-- refused: held
SELECT value FROM orders WHERE id = $1 AND updated_at < $2
