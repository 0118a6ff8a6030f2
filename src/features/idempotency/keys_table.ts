export const KEYS = "irori_idempotency_keys";

/** The text that `irori new idempotency-schema` writes. Times are milliseconds since 1970, in UTC. */
export const IDEMPOTENCY_SCHEMA: Readonly<Record<"postgresql" | "mysql" | "sqlite", string>> = {
  postgresql: schema("VARCHAR(64)", "TEXT", ""),
  mysql: schema(
    "VARCHAR(64)",
    "LONGTEXT",
    " ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
  ),
  sqlite: schema("TEXT", "TEXT", ""),
};

function schema(hash: string, text: string, options: string): string {
  return `-- Responses of handlers with @Idempotent, by the hash of principal, operation and key.
CREATE TABLE ${KEYS} (
  id ${hash} NOT NULL PRIMARY KEY,
  payload ${hash},
  status INTEGER,
  headers ${text},
  -- In base64.
  body ${text},
  expires BIGINT NOT NULL
)${options};

CREATE INDEX ${KEYS}_expires ON ${KEYS} (expires);
`;
}
