--- renewed by its holder while unexpired
-- expect: clean
-- args: lease holder ttl
-- refused: taken, expired, free, other
-- passes: held
UPDATE worker_leases SET expires_at = now() + $3::interval
WHERE name = $1 AND holder = $2 AND expires_at > now()

--- renewed by holder and epoch
-- expect: clean
-- args: lease holder epoch
-- refused: taken, expired, free, regranted
-- passes: held
UPDATE worker_leases SET expires_at = clock_timestamp() + interval '15 seconds'
WHERE name = $1 AND holder = $2 AND epoch = $3 AND clock_timestamp() < expires_at
RETURNING expires_at

--- renewed by a number of seconds
-- expect: clean
-- args: lease holder
-- refused: taken, expired, free
-- passes: held
UPDATE worker_leases SET expires_at = now() + make_interval(secs => 15)
WHERE name = $1 AND holder = $2 AND expires_at > now()

--- taken over once expired
-- expect: clean
-- args: lease holder ttl
-- refused: held, taken
-- passes: free, expired
UPDATE worker_leases SET holder = $2, epoch = epoch + 1, expires_at = now() + $3::interval
WHERE name = $1 AND expires_at < now()

--- taken over with a guard
-- expect: clean
-- args: lease holder
-- refused: held, taken
-- passes: free
UPDATE worker_leases SET holder = $2, epoch = worker_leases.epoch + 1, expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at <= now() - interval '100 ms'

--- taken over from nobody
-- expect: clean
-- args: lease holder
-- refused: held, taken
-- passes: free
UPDATE worker_leases SET holder = $2, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = $1 AND (holder IS NULL OR expires_at < now())

--- granted or taken over in an upsert
-- expect: clean
-- args: lease holder ttl
-- refused: held, taken
-- passes: free, gone
INSERT INTO worker_leases AS l (name, holder, epoch, expires_at) VALUES ($1, $2, 1, now() + $3::interval)
ON CONFLICT (name) DO UPDATE
SET holder = excluded.holder, epoch = l.epoch + 1, expires_at = excluded.expires_at
WHERE l.expires_at < now()
RETURNING epoch

--- acquired or renewed in one
-- expect: clean
-- args: lease holder
-- refused: taken
-- passes: held, free, expired, gone
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, now() + interval '15 s')
ON CONFLICT (name) DO UPDATE
SET holder = excluded.holder, epoch = worker_leases.epoch + 1, expires_at = excluded.expires_at
WHERE worker_leases.holder = excluded.holder OR worker_leases.expires_at < now()

--- the epoch stays with its holder
-- expect: clean
-- args: lease holder
-- refused: taken
-- passes: held, free
UPDATE worker_leases
SET holder = $2, expires_at = now() + interval '15 s',
    epoch = CASE WHEN holder = $2 THEN epoch ELSE epoch + 1 END
WHERE name = $1 AND (holder = $2 OR expires_at < now())

--- the epoch rises once expired
-- expect: clean
-- args: lease holder
-- refused: taken
-- passes: held, free
UPDATE worker_leases
SET holder = $2, expires_at = now() + interval '15 s',
    epoch = CASE WHEN expires_at <= now() THEN epoch + 1 ELSE epoch END
WHERE name = $1 AND ((holder = $2 AND expires_at > now()) OR expires_at <= now())

--- the next number of a sequence
-- expect: clean
-- args: lease holder
-- refused: taken
-- passes: free
UPDATE worker_leases SET holder = $2, epoch = nextval('epochs'), expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at < now()

--- an epoch that is shown to be higher
-- expect: clean
-- args: lease holder next-epoch
-- refused: taken
-- passes: free
UPDATE worker_leases SET holder = $2, epoch = $3, expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at < now() AND epoch < $3

--- taken from those that are expired, each once
-- expect: clean
-- args: holder
-- refused: taken, held
-- passes: free
UPDATE worker_leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = (
  SELECT name FROM worker_leases WHERE expires_at < now() ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING name, epoch

--- taken from a common table expression
-- expect: clean
-- args: holder
-- refused: taken, held
-- passes: free
WITH due AS (
  SELECT name FROM worker_leases WHERE expires_at < now() LIMIT 10 FOR UPDATE SKIP LOCKED
)
UPDATE worker_leases l SET holder = $1, epoch = l.epoch + 1, expires_at = now() + interval '15 s'
FROM due WHERE l.name = due.name RETURNING l.*

--- granted where there is none
-- expect: clean
-- args: lease holder
-- refused: taken, held
-- passes: gone
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, now() + interval '15 s')
ON CONFLICT DO NOTHING

--- released
-- expect: clean
-- args: lease holder
-- passes: held
-- refused: taken
UPDATE worker_leases SET expires_at = now() WHERE name = $1 AND holder = $2

--- given up
-- expect: clean
-- args: lease holder
-- passes: held
-- refused: taken
UPDATE worker_leases SET holder = NULL, expires_at = '-infinity' WHERE name = $1 AND holder = $2

--- something else is set
-- expect: clean
-- args: lease
-- passes: held
UPDATE worker_leases SET active = false WHERE name = $1

--- the epoch rises at each renewal
-- expect: clean
-- rises: renewal
-- args: lease holder epoch
-- refused: taken, expired
-- passes: held
UPDATE worker_leases SET expires_at = now() + interval '15 s', epoch = epoch + 1
WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now() RETURNING epoch

--- merged where it has expired
-- expect: clean
-- args: lease holder
-- refused: taken, held
-- passes: free, gone
MERGE INTO worker_leases l USING (VALUES ($1::text, $2::text)) AS s (name, holder) ON l.name = s.name
WHEN MATCHED AND l.expires_at < now() THEN
  UPDATE SET holder = s.holder, epoch = l.epoch + 1, expires_at = now() + interval '15 s'
WHEN NOT MATCHED THEN INSERT (name, holder, epoch, expires_at) VALUES (s.name, s.holder, 1, now() + interval '15 s')

--- merged where nothing is done for what is held
-- expect: clean
-- args: lease holder
-- refused: taken, held
-- passes: free
MERGE INTO worker_leases l USING (VALUES ($1::text, $2::text)) AS s (name, holder) ON l.name = s.name
WHEN MATCHED AND l.expires_at > now() THEN DO NOTHING
WHEN MATCHED THEN UPDATE SET holder = s.holder, epoch = l.epoch + 1, expires_at = now() + interval '15 s'

--- extended by anybody
-- expect: unguarded-renewal/extends-anyones
-- args: lease
-- passes: taken
-- at: worker_leases
UPDATE worker_leases SET expires_at = now() + interval '15 s' WHERE name = $1 AND expires_at > now()

--- extended by anybody at any time
-- expect: unguarded-renewal/extends-anyones
-- args: lease
-- passes: taken, free
UPDATE worker_leases SET expires_at = now() + interval '15 s' WHERE name = $1

--- extended after it expired
-- expect: unguarded-renewal/extends-expired
-- args: lease holder
-- passes: expired
UPDATE worker_leases SET expires_at = now() + interval '15 s' WHERE name = $1 AND holder = $2

--- extended after it expired, with the epoch
-- expect: unguarded-renewal/extends-expired
-- args: lease holder epoch
-- passes: expired
UPDATE worker_leases SET expires_at = now() + interval '15 s' WHERE name = $1 AND holder = $2 AND epoch = $3

--- extended within a grace
-- expect: unguarded-renewal/extends-expired
-- args: lease holder
-- passes: expired
-- why: an expiry in the past
UPDATE worker_leases SET expires_at = now() + interval '15 s'
WHERE name = $1 AND holder = $2 AND expires_at > now() - interval '1 hour'

--- extended by a common table expression
-- expect: unguarded-renewal/extends-expired
-- args: lease holder
-- passes: expired
WITH renewed AS (
  UPDATE worker_leases SET expires_at = now() + interval '15 s' WHERE name = $1 AND holder = $2 RETURNING epoch
)
SELECT epoch FROM renewed

--- taken over at any time
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
UPDATE worker_leases SET holder = $2, epoch = epoch + 1, expires_at = now() + interval '15 s' WHERE name = $1

--- taken over from another
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
UPDATE worker_leases SET holder = $2, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = $1 AND holder <> $2

--- taken over too early
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
-- why: before it is
UPDATE worker_leases SET holder = $2, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at < now() + interval '1 day'

--- taken over when the new expiry is later
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, now() + interval '1 day')
ON CONFLICT (name) DO UPDATE
SET holder = excluded.holder, epoch = worker_leases.epoch + 1, expires_at = excluded.expires_at
WHERE worker_leases.expires_at < excluded.expires_at

--- taken over in an upsert without a condition
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, now() + interval '15 s')
ON CONFLICT (name) DO UPDATE
SET holder = excluded.holder, epoch = worker_leases.epoch + 1, expires_at = excluded.expires_at

--- taken over or anything
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
UPDATE worker_leases SET holder = $2, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = $1 AND (expires_at < now() OR active)

--- the epoch is not touched
-- expect: unguarded-renewal/keeps-epoch
-- args: lease holder
-- passes: free
UPDATE worker_leases SET holder = $2, expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at < now()

--- the epoch starts again
-- expect: unguarded-renewal/keeps-epoch
-- args: lease holder
-- passes: free
INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, now() + interval '15 s')
ON CONFLICT (name) DO UPDATE
SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at
WHERE worker_leases.expires_at < now()

--- the epoch is what the program says
-- expect: unguarded-renewal/keeps-epoch
-- args: lease holder epoch
-- passes: free
UPDATE worker_leases SET holder = $2, epoch = $3, expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at < now()

--- the epoch rises for the wrong one
-- expect: unguarded-renewal/keeps-epoch
-- args: lease holder
-- passes: free
UPDATE worker_leases
SET holder = $2, expires_at = now() + interval '15 s',
    epoch = CASE WHEN holder = $2 THEN epoch + 1 ELSE epoch END
WHERE name = $1 AND (holder = $2 OR expires_at < now())

--- the epoch does not rise at a renewal
-- expect: unguarded-renewal/keeps-epoch
-- rises: renewal
-- args: lease holder
-- passes: held
UPDATE worker_leases SET expires_at = now() + interval '15 s'
WHERE name = $1 AND holder = $2 AND expires_at > now()

--- the expired one is found without a lock
-- expect: unguarded-renewal/unlocked
-- args: holder
-- passes: free
-- why: takes no lock
UPDATE worker_leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = (SELECT name FROM worker_leases WHERE expires_at < now() ORDER BY name LIMIT 1)

--- merged at any time
-- expect: unguarded-renewal/takes-unexpired
-- args: lease holder
-- passes: taken
MERGE INTO worker_leases l USING (VALUES ($1::text, $2::text)) AS s (name, holder) ON l.name = s.name
WHEN MATCHED THEN UPDATE SET holder = s.holder, epoch = l.epoch + 1, expires_at = now() + interval '15 s'

--- locked in one common table expression and narrowed in the next
-- expect: clean
-- args: holder
-- refused: taken, held
-- passes: free
WITH due AS (
  SELECT name FROM worker_leases WHERE expires_at < now() LIMIT 10 FOR UPDATE SKIP LOCKED
), first AS (SELECT name FROM due ORDER BY name LIMIT 1)
UPDATE worker_leases l SET holder = $1, epoch = l.epoch + 1, expires_at = now() + interval '15 s'
FROM first WHERE l.name = first.name

--- another table is locked
-- expect: unguarded-renewal/unlocked
-- args: holder
-- passes: free
UPDATE worker_leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = (
  SELECT l.name FROM worker_leases l JOIN orders o ON o.lease_name = l.name
  WHERE l.expires_at < now() LIMIT 1 FOR UPDATE OF o)

--- the lock does not reach into a common table expression
-- expect: unguarded-renewal/unlocked
-- server: no
WITH due AS (SELECT name FROM worker_leases WHERE expires_at < now())
UPDATE worker_leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '15 s'
WHERE name = (SELECT name FROM due LIMIT 1 FOR UPDATE)

--- a_lease_that_anybody_ends
-- expect: unguarded-renewal/ends-anyones
-- args: lease
-- passes: taken
UPDATE worker_leases SET expires_at = now() - interval '1 s' WHERE name = $1

--- a_lease_that_its_holder_ends
-- expect: clean
-- args: lease holder epoch
-- refused: taken regranted rebuilt gone
UPDATE worker_leases SET expires_at = now() WHERE name = $1 AND holder = $2 AND epoch = $3

--- a_row_that_anybody_deletes
-- expect: unguarded-renewal/ends-anyones
-- args: lease
-- passes: taken
DELETE FROM worker_leases WHERE name = $1

--- a_row_that_is_over
-- expect: clean
-- args: lease
-- refused: taken
DELETE FROM worker_leases WHERE name = $1 AND expires_at < now()

--- an_epoch_that_is_set_back
-- expect: unguarded-renewal/keeps-epoch
-- args: lease
-- server: no
UPDATE worker_leases SET epoch = 1, granted_at = now() WHERE name = $1
