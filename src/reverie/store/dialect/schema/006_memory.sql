-- Who holds a lease, so that a dead holder's can be taken over at once: see `store/tables/leases.py`.
ALTER TABLE leases ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE leases ADD COLUMN since DOUBLE PRECISION NOT NULL DEFAULT 0;
