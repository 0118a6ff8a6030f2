CREATE TABLE tenants (
  name TEXT PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9]{1,30}$'),
  schema_name TEXT NOT NULL UNIQUE GENERATED ALWAYS AS ('tenant_' || name) STORED,
  -- A digest: a copy of the table has no key.
  key_digest TEXT NOT NULL UNIQUE
);
