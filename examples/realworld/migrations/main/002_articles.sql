CREATE TABLE articles (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug        text NOT NULL UNIQUE,
  title       text NOT NULL,
  description text NOT NULL,
  body        text NOT NULL,
  author_id   bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX articles_author_id ON articles (author_id, id);

CREATE TABLE article_tags (
  article_id bigint NOT NULL REFERENCES articles ON DELETE CASCADE,
  position   integer NOT NULL,
  tag        text NOT NULL,
  PRIMARY KEY (article_id, position)
);
CREATE INDEX article_tags_tag ON article_tags (tag, article_id);

CREATE TABLE favorites (
  user_id    bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  article_id bigint NOT NULL REFERENCES articles ON DELETE CASCADE,
  PRIMARY KEY (user_id, article_id)
);
CREATE INDEX favorites_article_id ON favorites (article_id);
