/**
 * The least that a script can do: read the files, and apply each with a record in one transaction; `added` and
 * `unchanged` (PostgreSQL) apply those without a record.
 */
const [mode, url = "", folder = ""] = Deno.args;

const CREATE = "CREATE TABLE framework_migrations (connection VARCHAR(190) NOT NULL, " +
  "migration_path VARCHAR(512) NOT NULL, content_hash VARCHAR(64), executed_at VARCHAR(40) NOT NULL, " +
  "executed_by VARCHAR(255), duration_ms BIGINT, state VARCHAR(255) NOT NULL, statement INTEGER, " +
  "PRIMARY KEY (connection, migration_path))";

async function* files(): AsyncIterable<{ name: string; text: string; hash: string }> {
  const names = [...Deno.readDirSync(`${folder}/main`)].map(({ name }) => name).sort();
  for (const name of names) {
    const bytes = await Deno.readFile(`${folder}/main/${name}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    yield { name, text: new TextDecoder().decode(bytes), hash };
  }
}

if (url.startsWith("sqlite:")) {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(url.slice("sqlite:".length));
  if (mode === "look") await Array.fromAsync(files());
  if (mode !== "first") database.prepare("SELECT * FROM framework_migrations").all();
  else {
    database.exec(CREATE);
    const insert = database.prepare(
      "INSERT INTO framework_migrations VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for await (const { name, text, hash } of files()) {
      database.exec("BEGIN IMMEDIATE");
      database.exec(text);
      insert.run(...record(name, hash));
      database.exec("COMMIT");
    }
  }
  database.close();
} else {
  const { default: pg } = await import("npm:pg@^8.23.0");
  const client = new pg.Client(url);
  await client.connect();
  const known = new Set<string>();
  if (mode === "look") await Array.fromAsync(files());
  if (mode === "first") await client.query(CREATE);
  else {
    const { rows } = await client.query("SELECT * FROM framework_migrations");
    for (const { migration_path } of rows) known.add(migration_path);
  }
  if (mode !== "look" && mode !== "read") {
    for await (const { name, text, hash } of files()) {
      if (known.has(name)) continue;
      await client.query("BEGIN");
      await client.query(text);
      await client.query(
        "INSERT INTO framework_migrations VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        record(name, hash),
      );
      await client.query("COMMIT");
    }
  }
  await client.end();
}

function record(name: string, hash: string): (string | number | null)[] {
  return ["main", name, hash, new Date().toISOString(), "bench", 1, "applied", null];
}
