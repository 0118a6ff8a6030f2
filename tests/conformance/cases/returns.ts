import type { Case } from "../types.ts";

const user = { id: 1, at: "1970-01-01T00:00:00.000Z" };

const answer = (name: string, path: string, json: unknown, status = 200): Case => ({
  name,
  path: `/returns${path}`,
  status,
  json,
});

/** What mappings say that they return is what is sent. */
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
  {
    ...answer("a declared problem has its type and its data", "/problem", {
      type: "/problems/out-of-stock",
      title: "Conflict",
      status: 409,
      detail: "None is left",
      instance: "/returns/problem",
      sku: "A-1",
    }, 409),
    responseHeaders: { "content-type": "application/problem+json" },
  },
];
