--- exists on the lease's row
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2
WHERE id = $1
  AND EXISTS (
    SELECT 1 FROM worker_leases
    WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()
  )

--- exists, qualified and quoted, with the clock on the left
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
update "public"."orders" as o set value = $2
where o.id = $1 and exists (select from public.worker_leases as "L"
  where $3 = "L".name and $4 = "L"."holder" and $5::bigint = "L".epoch and clock_timestamp() < "L".expires_at)

--- exists with a share lock
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (
  SELECT 1 FROM worker_leases l
  WHERE l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > CURRENT_TIMESTAMP FOR SHARE)

--- exists that skips a locked lease
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (
  SELECT 1 FROM worker_leases l
  WHERE l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > transaction_timestamp()
  FOR NO KEY UPDATE SKIP LOCKED)

--- update from the lease's row
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders o SET value = $2 FROM worker_leases l
WHERE o.id = $1 AND l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()
RETURNING o.id

--- update from with a row of values
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = v.value
FROM (VALUES ($1::bigint, $2::text, $3::text, $4::text, $5::bigint)) AS v (id, value, lease, holder, epoch)
JOIN worker_leases l ON l.name = v.lease AND l.holder = v.holder AND l.epoch = v.epoch AND l.expires_at > now()
WHERE orders.id = v.id

--- rows compared as a whole
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (
  SELECT 1 FROM worker_leases WHERE (name, holder, epoch) = ($3, $4, $5) AND NOT (expires_at <= now()))

--- rows among the lease's rows
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2
WHERE id = $1 AND ($3, $4, $5) IN (SELECT name, holder, epoch FROM worker_leases WHERE expires_at > now())

--- the epoch against a scalar query
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2
WHERE id = $1
  AND $5 = (SELECT epoch FROM worker_leases WHERE name = $3 AND holder = $4 AND expires_at > now())

--- the epoch against the greatest of a query
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2
WHERE id = $1
  AND $5 = (SELECT max(epoch) FROM worker_leases WHERE name = $3 AND holder = $4 AND expires_at > now())

--- a count of at least one
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2
WHERE id = $1 AND (SELECT count(*) FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()) = 1

--- insert select where exists
-- expect: clean
-- args: fresh-order value lease holder epoch
-- refused: fenced
-- passes: held
INSERT INTO orders (id, value, epoch)
SELECT $1, $2, $5
WHERE EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now())

--- insert select from the lease's row
-- expect: clean
-- args: fresh-order value lease holder epoch
-- refused: fenced
-- passes: held
INSERT INTO orders (id, value, epoch)
SELECT $1::bigint, $2::text, l.epoch FROM worker_leases l
WHERE l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()
ON CONFLICT (id) DO NOTHING

--- insert select, both ways guarded by the source
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
INSERT INTO orders (id, value, epoch)
SELECT $1::bigint, $2::text, l.epoch FROM worker_leases l
WHERE l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()
ON CONFLICT (id) DO UPDATE SET value = excluded.value

--- the lease locked in a common table expression
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
WITH held AS MATERIALIZED (
  SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()
  FOR UPDATE
)
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM held)

--- the lease renewed and written under in one statement
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
WITH renewed AS (
  UPDATE worker_leases SET expires_at = now() + interval '15 seconds'
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()
  RETURNING epoch
)
UPDATE orders SET value = $2, epoch = renewed.epoch FROM renewed WHERE id = $1

--- a chain of writes in one statement
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
WITH held AS (
  SELECT epoch FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now() FOR UPDATE
), changed AS (
  UPDATE orders SET value = $2 FROM held WHERE id = $1 RETURNING id
)
INSERT INTO order_events (order_id, what) SELECT id, $2 FROM changed

--- conditions split between a derived table and the join
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2
FROM (SELECT l.holder AS who, l.epoch FROM worker_leases l WHERE l.name = $3 AND l.expires_at > now()) AS cur
WHERE orders.id = $1 AND cur.who = $4 AND cur.epoch = $5

--- delete using the lease's row
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
DELETE FROM orders USING worker_leases l
WHERE orders.id = $1 AND l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()

--- delete where exists
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
DELETE FROM ONLY orders WHERE id = $1 AND EXISTS (SELECT FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND now() < expires_at)

--- merge from a fenced source
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
MERGE INTO orders o
USING (
  SELECT $1::bigint AS id, $2::text AS value, l.epoch FROM worker_leases l
  WHERE l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()
) s ON o.id = s.id
WHEN MATCHED THEN UPDATE SET value = s.value
WHEN NOT MATCHED THEN INSERT (id, value, epoch) VALUES (s.id, s.value, s.epoch)

--- both halves of an or are fenced
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE
  (id = $1 AND EXISTS (SELECT 1 FROM worker_leases
    WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()))
  OR (id = $1 + 1 AND EXISTS (SELECT 1 FROM worker_leases
    WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()))

--- a margin before the expiry
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at - interval '100 ms' > now())

--- what is left of the time to live
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at - now() > interval '0')

--- now between the grant and the expiry
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND now() BETWEEN granted_at AND expires_at)

--- seconds since the epoch
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5
    AND extract(epoch from expires_at) > extract(epoch from clock_timestamp()))

--- the lease's name comes from the order
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases l
  WHERE l.name = orders.lease_name AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now())

--- named placeholders
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = :value WHERE id = :order AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = :lease AND holder = :holder AND epoch = :epoch AND expires_at > now())

--- counted placeholders
-- expect: clean
-- args: value order lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = ? WHERE id = ? AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = ? AND holder = ? AND epoch = ? AND expires_at > now())

--- values from arrays
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = v.value
FROM unnest(ARRAY[$1]::bigint[], ARRAY[$2]::text[]) AS v (id, value), worker_leases l
WHERE orders.id = v.id AND l.name = $3 AND l.holder = $4 AND l.epoch = $5 AND l.expires_at > now()

--- only what is older than the writer's epoch is let through
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND EXISTS (SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch <= $5 AND expires_at > now())

--- written only where the grant is made
-- expect: clean
-- args: order value lease holder ttl
-- refused: taken, regranted, other, rebuilt
-- passes: expired, free
WITH granted AS (
  UPDATE worker_leases SET holder = $4, epoch = epoch + 1, expires_at = now() + $5::interval
  WHERE name = $3 AND expires_at < now()
  RETURNING epoch
)
UPDATE orders SET value = $2, epoch = granted.epoch FROM granted WHERE id = $1

--- another table is written
-- expect: clean
-- args: order value
-- passes: held, taken
INSERT INTO order_events (order_id, what) VALUES ($1, $2)

--- reading is no write
-- expect: clean
-- args: order
-- refused: held, taken
SELECT value FROM orders WHERE id = $1 FOR UPDATE

--- planned and not run
-- expect: clean
-- args: order value
-- refused: held, taken
EXPLAIN UPDATE orders SET value = $2 WHERE id = $1

--- copied out
-- expect: clean
-- refused: held, taken
COPY orders (id, value) TO STDOUT

--- joined by columns of the same name
-- expect: clean
-- args: order value lease holder epoch
-- refused: fenced
-- passes: held
UPDATE orders SET value = v.value
FROM (VALUES ($1::bigint, $2::text, $3::text, $4::text, $5::bigint)) AS v (id, value, name, holder, epoch)
JOIN worker_leases l USING (name, holder, epoch)
WHERE orders.id = v.id AND l.expires_at > now()

--- several columns set at once
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders SET (value, epoch) = ($2, $3) WHERE id = $1 AND epoch <= $3
