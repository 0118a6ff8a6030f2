import { client } from "irori/client";
import { databaseForTest } from "irori/migrations";
import type { Principal } from "irori/security";
import { asUser, type TestApplication, testApplication } from "irori/testing";
import { rollbackAfter, SqliteTransactions } from "irori/transactions";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { contract } from "../contract.ts";
import { parcels } from "../parcels.ts";

const notes = mkdtempSync(join(tmpdir(), "delivery-notes-"));
const database = new DatabaseSync(":memory:");
await databaseForTest({ using: database, root: parcels.root });
export const app: TestApplication = await testApplication({
  ...parcels,
  profiles: ["dev"],
  config: { parcels: { notes } },
  overrides: [[DatabaseSync, database]],
});
// Not after the tests of a file: Bun runs all files in one process.
process.once("exit", () => rmSync(notes, { recursive: true }));

/** A test whose changes of the database are rolled back. */
export function databaseTest(name: string, work: () => Promise<void>): void {
  test(name, () => rollbackAfter(app.context.get(SqliteTransactions), work));
}

export const users = {
  anonymous: undefined,
  courier: { name: "carl", roles: ["courier"] },
  dispatcher: { name: "dora", roles: ["dispatcher"] },
};

/** A client of all controllers that sends the requests of a user. */
const apiOf = (user: Principal) =>
  client("http://localhost", contract, {
    fetch: async (request) => await app.fetch(asUser(user, request)),
  });
export const courier = apiOf(users.courier);
export const dispatcher = apiOf(users.dispatcher);
