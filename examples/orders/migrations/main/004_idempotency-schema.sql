-- Responses of handlers with @Idempotent, by the hash of principal, operation and key.
CREATE TABLE irori_idempotency_keys (
  id VARCHAR(64) NOT NULL PRIMARY KEY,
  payload VARCHAR(64),
  status INTEGER,
  headers TEXT,
  -- In base64.
  body TEXT,
  expires BIGINT NOT NULL
);

CREATE INDEX irori_idempotency_keys_expires ON irori_idempotency_keys (expires);
