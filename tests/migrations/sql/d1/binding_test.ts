/** A binding tells less than a database: these answers of it are explained. */
import { assertEquals, assertMatch } from "@std/assert";
import { migrate } from "../support.ts";
import { CLIENTS } from "./clients.ts";

Deno.test("a binding + a foreign key that a commit violates is named, and the next run goes on", async () => {
  await using client = await CLIENTS["a binding of Miniflare"]!();
  const base = {
    "1.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER REFERENCES p);",
  };
  await migrate(client.datasource, base, client.options);
  const wrong = "PRAGMA defer_foreign_keys = ON; INSERT INTO c VALUES (9);";
  const { error } = await migrate(client.datasource, { ...base, "2.sql": wrong }, client.options);
  assertMatch(String(error), /refer to none/);
  const right = { ...base, "2.sql": "INSERT INTO p VALUES (9); INSERT INTO c VALUES (9);" };
  await migrate(client.datasource, right, client.options);
  assertEquals(await client.query("SELECT p FROM c"), [{ p: 9 }]);
});

Deno.test("a binding + an internal error says what it may mean", async () => {
  await using client = await CLIENTS["a binding of Miniflare"]!();
  const using = client.options.using as { batch(commands: unknown[]): Promise<unknown> };
  const batch = using.batch.bind(using);
  const failing = new Proxy(using, {
    get(target, name) {
      if (name !== "batch") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (commands: unknown[]) => {
        await batch(commands);
        throw new Error("internal error; reference = abc123");
      };
    },
  });
  const files = { "1.sql": "CREATE TABLE once (id INTEGER);" };
  const { error } = await migrate(client.datasource, files, { ...client.options, using: failing });
  assertMatch(
    String(error),
    /internal error; reference = abc123: .*refer to none .*the next run reads from the record/,
  );
  await migrate(client.datasource, files, client.options);
});
