import { assertEquals } from "@std/assert";
import { mysqlError } from "../../../src/migrations/sql/engines/mysql/error.ts";

Deno.test("mysqlError() takes an error of the server without a name for a refusal", () => {
  const ofServer = { errno: 1901, sqlState: "HY000", sqlMessage: "cannot be used in the clause" };
  const { kind, message } = mysqlError(ofServer, (text) => text);
  assertEquals([kind, message], ["refused", "cannot be used in the clause"]);
});

Deno.test("mysqlError() takes an error of the client for a lost connection", () => {
  const { kind } = mysqlError({ code: "ECONNRESET", message: "read ECONNRESET" }, (text) => text);
  assertEquals(kind, "lost");
});

Deno.test("mysqlError() takes a session that MariaDB has killed for a lost connection", () => {
  const ofServer = { errno: 1927, sqlState: "70100", sqlMessage: "Connection was killed" };
  assertEquals(mysqlError(ofServer, (text) => text).kind, "lost");
});
