import { assertEquals } from "@std/assert";
import { HttpStatus, problem, PROBLEM_JSON } from "../../src/http/mod.ts";

Deno.test("problem() + says status and phrase, and no more where there is no more", () => {
  assertEquals(problem(HttpStatus.NOT_FOUND), {
    type: "about:blank",
    title: "Not Found",
    status: 404,
  });
  assertEquals(PROBLEM_JSON, "application/problem+json");
});

Deno.test("problem() + has the members of RFC 9457 and a list of errors", () => {
  const errors = [{ pointer: "/name", message: "Required" }];
  assertEquals(
    Object.entries(problem(HttpStatus.BAD_REQUEST, { detail: "Wrong", instance: "/a", errors })),
    [
      ["type", "about:blank"],
      ["title", "Bad Request"],
      ["status", 400],
      ["detail", "Wrong"],
      ["instance", "/a"],
      ["errors", errors],
    ],
  );
});

Deno.test("problem() + leaves an empty list of errors out", () => {
  assertEquals("errors" in problem(HttpStatus.BAD_REQUEST, { errors: [] }), false);
});

Deno.test("problem() + keeps what went wrong inside the server to itself", () => {
  const about = { detail: "password=1", instance: "/a", errors: ["password=1"] };
  assertEquals(problem(HttpStatus.SERVICE_UNAVAILABLE, about), {
    type: "about:blank",
    title: "Service Unavailable",
    status: 503,
    instance: "/a",
  });
});

Deno.test("problem() + has the code as title where the status has no phrase", () => {
  assertEquals(problem(HttpStatus.of(499)).title, "499");
});
