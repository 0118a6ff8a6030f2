CREATE TABLE users (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  hash TEXT NOT NULL
);

CREATE TABLE refresh_tokens (
  digest     TEXT PRIMARY KEY,
  user       TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  family     TEXT NOT NULL,
  expires_at INTEGER NOT NULL DEFAULT (unixepoch() + 30 * 86400),
  is_used    INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE parcels (
  id      INTEGER PRIMARY KEY,
  address TEXT NOT NULL,
  status  TEXT NOT NULL DEFAULT 'announced',
  version INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE delivery_notes (
  parcel INTEGER PRIMARY KEY REFERENCES parcels,
  file   TEXT NOT NULL
);

CREATE TABLE events (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  parcel  INTEGER NOT NULL REFERENCES parcels,
  type    TEXT NOT NULL,
  courier TEXT NOT NULL
);
