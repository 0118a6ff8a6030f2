-- Ticks of methods with @Scheduled: one row for each instant that was claimed or skipped.
CREATE TABLE irori_ticks (
  name VARCHAR(200) NOT NULL,
  due BIGINT NOT NULL,
  state VARCHAR(10) NOT NULL,
  -- The name while the tick runs: at most one of a task does.
  running VARCHAR(200) UNIQUE,
  replica VARCHAR(200) NOT NULL,
  lease BIGINT NOT NULL,
  started BIGINT NOT NULL,
  ended BIGINT,
  error TEXT,
  PRIMARY KEY (name, due)
);
