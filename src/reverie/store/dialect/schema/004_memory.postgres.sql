-- Tables of large spaces had one row a ref: the next night makes them anew.
DELETE FROM near;
