import { Jobs } from "irori/jobs";
import { current, PgTransactions } from "irori/transactions";
import assert from "node:assert/strict";
import { test } from "node:test";
import { WelcomeJobs } from "../src/welcome/welcome_jobs.ts";
import { start } from "./start.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };

test("a new user is welcomed, and forgotten after 30 days", async () => {
  await using users = await start();
  const { context } = users.app;
  const query = (sql: string) => current(context.get(PgTransactions)).query(sql);
  const welcomed = async () => (await query("SELECT user_id FROM welcomes")).rows;

  await users.send("POST", "/users", ada);
  assert.deepEqual(await welcomed(), []);
  const ended = await context.get(Jobs).drain();
  assert.deepEqual(ended, { completed: 1, failed: 0, dead: 0 });
  assert.deepEqual(await welcomed(), [{ user_id: 1 }]);

  await context.get(WelcomeJobs).clean();
  assert.equal((await welcomed()).length, 1);
  await query("UPDATE welcomes SET sent_at = now() - INTERVAL '31 days'");
  await context.get(WelcomeJobs).clean();
  assert.deepEqual(await welcomed(), []);
});

test("a user who is refused is not welcomed", async () => {
  await using users = await start();
  await users.send("POST", "/users", ada);
  await users.send("POST", "/users", ada);
  assert.equal((await users.app.context.get(Jobs).drain()).completed, 1);
});
