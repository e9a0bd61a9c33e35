--- a plain update
-- expect: unfenced-write
-- args: order value
-- passes: taken
-- at: orders
-- why: carries no fence
UPDATE orders SET value = $2 WHERE id = $1

--- a plain insert
-- expect: unfenced-write
-- args: fresh-order value epoch
-- passes: taken
-- at: "orders"
INSERT INTO "orders" (id, value, epoch) VALUES ($1, $2, $3)

--- an insert that does nothing on conflict
-- expect: unfenced-write
-- args: fresh-order value epoch
-- passes: taken
INSERT INTO orders (id, value, epoch) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING

--- a plain delete
-- expect: unfenced-write
-- args: order
-- passes: taken
-- at: public.orders
DELETE FROM public.orders WHERE id = $1

--- a merge on the key
-- expect: unfenced-write
-- args: order value
-- passes: taken
MERGE INTO orders o USING (VALUES ($1::bigint, $2::text)) AS s (id, value) ON o.id = s.id
WHEN MATCHED THEN UPDATE SET value = s.value

--- copied in
-- expect: unfenced-write
-- server: no
-- why: carries no fence
COPY orders (id, value) FROM STDIN WITH (FORMAT csv)

--- truncated
-- expect: unfenced-write
-- passes: taken
TRUNCATE orders

--- the lease is looked at in a statement before
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
BEGIN;
SELECT 1 FROM worker_leases WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now() FOR UPDATE;
UPDATE orders SET value = $2 WHERE id = $1;
COMMIT;

--- a common table expression that nothing refers to
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
WITH held AS (
  SELECT 1 FROM worker_leases WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now() FOR UPDATE
)
UPDATE orders SET value = $2 WHERE id = $1

--- without the name
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: other
-- why: but not for its name
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE holder = $4 AND epoch = $5 AND expires_at > now())

--- without the holder
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: rebuilt
-- why: but not for its holder
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND epoch = $5 AND expires_at > now())

--- without the epoch
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: regranted
-- why: but not for its epoch
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND expires_at > now())

--- without the expiry
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: expired
-- why: but not for its expiry
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5)

--- with a grace
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: expired
-- why: an expiry in the past is let through
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now() - interval '5 minutes')

--- with a grace on the other side
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: expired
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at + interval '5 minutes' > now())

--- the lease is asked whether it has expired
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: expired
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at < now())

--- older epochs are let through
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: regranted
-- why: lets every older writer through
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch >= $5 AND expires_at > now())

--- the epoch of the order's row
-- expect: unfenced-write
-- args: order value lease holder
-- passes: regranted
-- why: compared with a column
UPDATE orders SET value = $2 FROM worker_leases l
WHERE orders.id = $1 AND l.name = $3 AND l.holder = $4 AND l.epoch = orders.epoch AND l.expires_at > now()

--- the epoch read in the same statement
-- expect: unfenced-write
-- args: order value lease holder
-- passes: regranted
-- why: just read from the lease's table
WITH cur AS (SELECT epoch FROM worker_leases WHERE name = $3)
UPDATE orders SET value = $2 FROM worker_leases l, cur
WHERE orders.id = $1 AND l.name = $3 AND l.holder = $4 AND l.epoch = cur.epoch AND l.expires_at > now()

--- an or beside the fence
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
-- why: writes also where it is not there
UPDATE orders SET value = $2 WHERE id = $1 AND (value IS NOT NULL OR EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()))

--- an optional holder
-- expect: unfenced-write
-- args: order value lease epoch
-- passes: rebuilt
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND (holder = NULL OR NULL IS NULL) AND epoch = $4 AND expires_at > now())

--- a left join keeps all rows
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
-- why: outer join
UPDATE orders SET value = $2
FROM (SELECT o.id FROM orders o LEFT JOIN worker_leases l
  ON l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now() WHERE o.id = $1) AS found
WHERE orders.id = found.id

--- a left join from the lease
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
UPDATE orders SET value = $2
FROM worker_leases l LEFT JOIN order_events e
  ON l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()
WHERE orders.id = $1

--- a count is always there
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
-- why: counts or sums
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT count(*) FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now())

--- an insert of a count
-- expect: unfenced-write
-- args: fresh-order value lease holder epoch
-- passes: taken
INSERT INTO orders (id, value, epoch)
SELECT $1::bigint, $2::text, coalesce(max(epoch), 1) FROM worker_leases
WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()

--- a count of at least none
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
UPDATE orders SET value = $2 WHERE id = $1 AND (SELECT count(*) FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()) >= 0

--- only the conflict is guarded
-- expect: unfenced-write
-- args: fresh-order value lease holder epoch
-- passes: taken
-- why: guards only the update
INSERT INTO orders (id, value, epoch) VALUES ($1, $2, $5)
ON CONFLICT (id) DO UPDATE SET value = excluded.value
WHERE EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now())

--- the fence in the on of a merge lets the insert through
-- expect: unfenced-write
-- args: fresh-order value lease holder epoch
-- passes: taken
MERGE INTO orders o USING (VALUES ($1::bigint, $2::text, $5::bigint)) AS s (id, value, epoch)
ON o.id = s.id AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now())
WHEN MATCHED THEN UPDATE SET value = s.value
WHEN NOT MATCHED THEN INSERT (id, value, epoch) VALUES (s.id, s.value, s.epoch)

--- an advisory lock is no fence
-- expect: unfenced-write
-- args: order value
-- passes: taken
-- why: advisory lock
UPDATE orders SET value = $2 WHERE id = $1 AND pg_try_advisory_xact_lock(42)

--- not exists
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
UPDATE orders SET value = $2 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now())

--- the fence is in what is returned
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: taken
UPDATE orders SET value = $2 WHERE id = $1
RETURNING EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now())

--- a state is no name
-- expect: unfenced-write
-- args: order value holder epoch
-- passes: other
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE active = true AND holder = $3 AND epoch = $4 AND expires_at > now())

--- several names
-- expect: unfenced-write
-- args: order value lease holder epoch
-- passes: other
-- why: more than one lease
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name IN ($3, 'reports') AND holder = $4 AND epoch = $5 AND expires_at > now())

--- the string now is frozen
-- expect: unfenced-write
-- args: order value lease holder epoch
-- server: no
-- why: the time at which the statement was prepared
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > 'now')

--- the key of the order is not the lease's name
-- expect: unfenced-write
-- args: order value holder epoch
-- passes: other
UPDATE orders SET value = $2 FROM worker_leases
WHERE id = $1 AND holder = $3 AND worker_leases.epoch = $4 AND expires_at > now()

--- two statements, one of them fenced
-- expect: unfenced-write
-- args: order value epoch fresh-order
-- passes: taken
UPDATE orders SET value = $2, epoch = $3 WHERE id = $1 AND epoch <= $3;
INSERT INTO orders (id, value) VALUES ($4, $2)

--- written in a common table expression
-- expect: unfenced-write
-- args: order value
-- passes: taken
WITH changed AS (UPDATE orders SET value = $2 WHERE id = $1 RETURNING id)
INSERT INTO order_events (order_id, what) SELECT id, $2 FROM changed

--- claimed from a queue without a fence
-- expect: unfenced-write
-- args: value
-- passes: taken
UPDATE orders SET value = $1 WHERE id = (SELECT id FROM orders ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id

--- analyzed and so run
-- expect: unfenced-write
-- args: order value
-- passes: taken
EXPLAIN (ANALYZE, BUFFERS) UPDATE orders SET value = $2 WHERE id = $1

--- prepared
-- expect: unfenced-write
-- server: no
PREPARE w (bigint, text) AS UPDATE orders SET value = $2 WHERE id = $1

--- a schema from format
-- expect: unfenced-write
-- server: no
-- at: {schema}.orders
UPDATE {schema}.orders SET value = {} WHERE id = {id}

--- columns from format
-- expect: unparsed
-- server: no
-- at: orders
UPDATE orders SET {} WHERE id = $1

--- a piece of a query builder
-- expect: unparsed
-- server: no
INSERT INTO orders (id, value) VALUES (

--- a block of code
-- expect: unparsed
-- args: order value
-- passes: taken
-- at: orders
DO $$ BEGIN UPDATE orders SET value = 'written by a' WHERE id = 7; END $$

--- the body of a function
-- expect: unparsed
-- server: no
CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'DELETE FROM orders'

--- a message
-- expect: clean
-- server: no
could not insert into orders: {error}
