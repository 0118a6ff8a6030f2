CREATE UNIQUE INDEX users_email ON users (email);
