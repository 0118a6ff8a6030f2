import type { Case } from "../types.ts";

const user = { id: 1, at: "1970-01-01T00:00:00.000Z" };

const answer = (name: string, path: string, json: unknown, status = 200): Case => ({
  name,
  path: `/returns${path}`,
  status,
  json,
});

const outOfStock = (name: string, path: string): Case => ({
  ...answer(name, path, {
    type: "/problems/out-of-stock",
    title: "Conflict",
    status: 409,
    detail: "None is left",
    instance: `/returns${path}`,
    sku: "A-1",
  }, 409),
  responseHeaders: { "content-type": "application/problem+json" },
});

const notFound = (name: string, path: string): Case => ({
  ...answer(name, path, {
    type: "about:blank",
    title: "Not Found",
    status: 404,
    detail: "None of these",
  }, 404),
  responseHeaders: { "content-type": "application/problem+json" },
});

/** A response contains what its mapping declares as `returns`. */
export const returns: readonly Case[] = [
  answer("what the schema does not name is not sent", "/one", user),
  answer("of a list neither", "/list", [user]),
  answer("an asynchronous schema is waited for", "/async", { id: 1 }),
  {
    ...answer("an entity keeps its status and headers", "/entity", user, 202),
    responseHeaders: { "x-a": "1", "content-type": "application/json" },
  },
  {
    ...answer("what does not fit is a 500 without its value", "/broken", {
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      instance: "/returns/broken",
    }, 500),
    problem: true,
  },
  outOfStock("a declared problem has its type and its data", "/problem"),
  outOfStock("a handler that only throws has a schema like others", "/throws"),
  notFound("a problem that is returned is answered with its status", "/returned-problem/now"),
  notFound("and later", "/returned-problem/later"),
  answer("a read-only list passes through the schema", "/readonly", [user]),
];
