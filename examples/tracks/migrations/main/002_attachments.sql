CREATE TABLE attachments (
  id     UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  issue  BIGINT NOT NULL REFERENCES issues ON DELETE CASCADE,
  name   TEXT NOT NULL,
  size   BIGINT, -- none while it is uploaded
  author TEXT NOT NULL
);
CREATE INDEX attachments_issue ON attachments (issue, name);

-- Piece by piece, as they are uploaded: neither side holds a file in memory.
CREATE TABLE attachment_pieces (
  attachment UUID NOT NULL REFERENCES attachments ON DELETE CASCADE,
  number     INT NOT NULL,
  bytes      BYTEA NOT NULL,
  PRIMARY KEY (attachment, number)
);
