import { test } from "node:test";
import { checkAccess } from "./answers.ts";
import { startWithoutDatabase } from "./without_database.ts";

test("who may do what, without a database", async () => {
  await using app = await startWithoutDatabase();
  await checkAccess((path, init) => app.request(path, init));
});
