CREATE TABLE comments (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- A number in JSON; a bigint is a text.
  article_id bigint NOT NULL REFERENCES articles ON DELETE CASCADE,
  author_id  bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  body       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX comments_article_id ON comments (article_id, id);
CREATE INDEX comments_author_id ON comments (author_id);
