--- compared and set
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders SET value = $2, epoch = $3 WHERE id = $1 AND epoch <= $3

--- compared the other way round, qualified
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders AS o SET value = $2, epoch = $3::bigint WHERE o.id = $1 AND $3 >= o.epoch

--- compared and not set, where it must be the same
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other
-- passes: held
UPDATE orders SET value = $2 WHERE id = $1 AND epoch = $3

--- unset counts as the lowest
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders SET value = $2, epoch = $3 WHERE id = $1 AND coalesce(epoch, 0) <= $3

--- unset or at most the writer's
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders SET value = $2, epoch = $3 WHERE id = $1 AND (epoch IS NULL OR epoch <= $3)

--- set to the greater of the two
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders SET value = $2, epoch = greatest(epoch, $3) WHERE id = $1 AND epoch <= $3

--- an upsert that compares
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
INSERT INTO orders (id, value, epoch) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET value = excluded.value, epoch = excluded.epoch
WHERE orders.epoch <= excluded.epoch

--- an upsert that compares with the parameter
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
INSERT INTO orders AS o (id, value, epoch) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET value = $2, epoch = $3 WHERE o.epoch <= $3 RETURNING id

--- counted placeholders
-- expect: clean
-- args: value epoch order epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
UPDATE orders SET value = ?, epoch = ? WHERE id = ? AND epoch <= ?

--- delete compares
-- expect: clean
-- args: order epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
DELETE FROM orders WHERE id = $1 AND epoch <= $2

--- merge compares where it matches
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
MERGE INTO orders o USING (VALUES ($1::bigint, $2::text, $3::bigint)) AS s (id, value, epoch) ON o.id = s.id
WHEN MATCHED AND o.epoch <= s.epoch THEN UPDATE SET value = s.value, epoch = s.epoch
WHEN NOT MATCHED THEN INSERT (id, value, epoch) VALUES (s.id, s.value, s.epoch)

--- merge does nothing where the row is newer
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
MERGE INTO orders o USING (VALUES ($1::bigint, $2::text, $3::bigint)) AS s (id, value, epoch) ON o.id = s.id
WHEN MATCHED AND o.epoch > s.epoch THEN DO NOTHING
WHEN MATCHED THEN UPDATE SET value = s.value, epoch = s.epoch

--- values in a common table expression
-- expect: clean
-- args: order value epoch
-- refused: taken, regranted, other, overwritten
-- passes: held
WITH input (id, value, epoch) AS (VALUES ($1::bigint, $2::text, $3::bigint))
UPDATE orders SET value = input.value, epoch = input.epoch FROM input
WHERE orders.id = input.id AND orders.epoch <= input.epoch

--- compared but not set
-- expect: unfenced-write
-- args: order value epoch
-- passes: overwritten
-- why: compared but not set
UPDATE orders SET value = $2 WHERE id = $1 AND epoch <= $3

--- the wrong way round
-- expect: unfenced-write
-- args: order value epoch
-- passes: taken
-- why: wrong way round
UPDATE orders SET value = $2, epoch = $3 WHERE id = $1 AND epoch >= $3

--- compared with the current epoch
-- expect: unfenced-write
-- args: order value lease
-- passes: taken
-- why: the epoch that the lease has now
UPDATE orders SET value = $2, epoch = l.epoch FROM worker_leases l
WHERE id = $1 AND l.name = $3 AND orders.epoch <= l.epoch

--- compared with the current epoch in a query
-- expect: unfenced-write
-- args: order value lease
-- passes: taken
UPDATE orders SET value = $2
WHERE id = $1 AND epoch = (SELECT epoch FROM worker_leases WHERE name = $3)

--- set to something else
-- expect: unfenced-write
-- args: order value epoch
-- passes: overwritten
-- why: set to something else
UPDATE orders SET value = $2, epoch = 0 WHERE id = $1 AND epoch <= $3

--- a version is no epoch
-- expect: unfenced-write
-- args: order value
-- passes: taken
UPDATE orders SET value = $2, version = version + 1 WHERE id = $1 AND version = 1

--- the last writer by its own clock wins
-- expect: unfenced-write
-- args: order value now
-- passes: taken
UPDATE orders SET value = $2, updated_at = $3 WHERE id = $1 AND updated_at < $3

--- the fence column may be skipped
-- expect: unfenced-write
-- args: order value epoch holder
-- passes: taken
UPDATE orders SET value = $2, epoch = $3 WHERE id = $1 AND (epoch <= $3 OR $4 = 'a')

--- an upsert that stores no epoch
-- expect: unfenced-write
-- args: order value epoch
-- passes: overwritten
INSERT INTO orders (id, value) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET value = excluded.value WHERE orders.epoch <= $3

--- merge compares only in one of two
-- expect: unfenced-write
-- args: order value epoch
-- passes: taken
MERGE INTO orders o USING (VALUES ($1::bigint, $2::text, $3::bigint)) AS s (id, value, epoch) ON o.id = s.id
WHEN MATCHED AND o.epoch <= s.epoch THEN UPDATE SET value = s.value, epoch = s.epoch
WHEN MATCHED THEN DELETE

--- a_number_in_the_text_is_nobodys_epoch
-- expect: unfenced-write
-- args: order
-- passes: taken
DELETE FROM orders WHERE id = $1 AND epoch < 1000000
