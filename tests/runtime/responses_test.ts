import { assertEquals } from "@std/assert";
import { responsesWith } from "../../src/runtime/shared/responses.ts";

const FIELDS = { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" };

for (const status of [200, 201, 404]) {
  for (const body of ["{}", new Uint8Array([123, 125]), new Blob(["{}"])]) {
    Deno.test(`responsesWith() + gives body, status and fields: ${status}, ${kindOf(body)}`, async () => {
      const respond = responsesWith(FIELDS);
      for (const response of [respond(body, status), respond(body, status)]) {
        assertEquals(response.status, status);
        assertEquals(Object.fromEntries(response.headers), {
          "content-type": "application/json",
          "x-content-type-options": "nosniff",
        });
        assertEquals(await response.text(), "{}");
      }
    });
  }
}

Deno.test("responsesWith() + keeps a response's fields to itself", () => {
  const respond = responsesWith(FIELDS);
  respond("{}", 200).headers.set("X-Content-Type-Options", "other");
  assertEquals(respond("{}", 200).headers.get("X-Content-Type-Options"), "nosniff");
});

Deno.test("responsesWith() + needs no type", () => {
  const response = responsesWith({ "X-One": "1" })(null, 200);
  assertEquals([...response.headers], [["x-one", "1"]]);
});

function kindOf(body: unknown): string {
  return typeof body === "string" ? "text" : Object.prototype.toString.call(body);
}
