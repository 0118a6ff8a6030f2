CREATE TABLE projects (
  key        TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  last_issue BIGINT NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE issues (
  id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project     TEXT NOT NULL REFERENCES projects ON DELETE CASCADE,
  number      BIGINT NOT NULL,
  title       TEXT NOT NULL,
  description TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'open',
  author      TEXT NOT NULL,
  created_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
  UNIQUE (project, number)
);

CREATE TABLE comments (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issue      BIGINT NOT NULL REFERENCES issues ON DELETE CASCADE,
  author     TEXT NOT NULL,
  text       TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX comments_issue ON comments (issue, id);
