import { asUser, testApplication } from "irori/testing"; // {{?security}}
import { testApplication } from "irori/testing"; // {{!security}}
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { application } from "../src/application.ts";

/** The application on a new database, with the migrations applied. */
export async function start() {
  const folder = await mkdtemp(join(tmpdir(), "users-"));
  const config = {
    ...application.config,
    "database.file": join(folder, "test.db"),
    "admin.password": "of the tests", // {{?security}}
    "logging.level.root": "OFF", // {{?logging}}
    "logging.level.users": "OFF", // {{?logging}}
  };
  const app = await testApplication({ ...application, config });
  const admin = { name: "admin", roles: ["admin"] }; // {{?security}}
  const headers = { "Content-Type": "application/json" }; // {{?security}}
  return {
    app,
    get: app.get, // {{!security}}
    send: app.send, // {{!security}}
    // Requests of the administrator. // {{?security}}
    get: (path: string) => app.request(asUser(admin, path)), // {{?security}}
    send: (method: string, path: string, body: unknown) => // {{?security}}
      app.request(asUser(admin, path, { method, headers, body: JSON.stringify(body) })), // {{?security}}
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(folder, { recursive: true });
    },
  };
}
