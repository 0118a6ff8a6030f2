CREATE TABLE users (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username      text NOT NULL UNIQUE,
  email         text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  bio           text,
  image         text
);

CREATE TABLE follows (
  follower_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  followed_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (follower_id, followed_id)
);
CREATE INDEX follows_followed_id ON follows (followed_id);
