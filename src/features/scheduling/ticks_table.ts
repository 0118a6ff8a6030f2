export const TICKS = "irori_ticks";

/** The text that `irori new schedules-schema` writes. Times are milliseconds since 1970, in UTC. */
export const SCHEDULES_SCHEMA: Readonly<Record<"postgresql" | "mysql" | "sqlite", string>> = {
  postgresql: schema("VARCHAR(200)"),
  // Names that differ in case only are two.
  mysql: schema(
    "VARCHAR(200)",
    " ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
  ),
  sqlite: schema("TEXT"),
};

function schema(name: string, options = ""): string {
  return `-- Ticks of methods with @Scheduled: one row for each instant that was claimed or skipped.
CREATE TABLE ${TICKS} (
  name ${name} NOT NULL,
  due BIGINT NOT NULL,
  state VARCHAR(10) NOT NULL,
  -- The name while the tick runs: at most one of a task does.
  running ${name} UNIQUE,
  replica ${name} NOT NULL,
  lease BIGINT NOT NULL,
  started BIGINT NOT NULL,
  ended BIGINT,
  error TEXT,
  PRIMARY KEY (name, due)
)${options};
`;
}
