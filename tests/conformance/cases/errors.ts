import type { Case } from "../types.ts";

const outOfStock = (path: string, sku: string) => ({
  path,
  status: 409,
  responseHeaders: { "content-type": "application/problem+json" },
  json: {
    type: "about:blank",
    title: "Conflict",
    status: 409,
    detail: `No ${sku}`,
    instance: path,
    sku,
  },
});

export const errors: readonly Case[] = [
  { name: "an error handled by an advice", ...outOfStock("/errors/stock/pears", "pears") },
  {
    name: "the nearest class of an error wins",
    path: "/errors/stock/apples",
    status: 410,
    text: "apples apples",
    responseHeaders: { "content-type": "text/plain;charset=UTF-8" },
  },
  {
    name: "an error handled for HEAD",
    method: "HEAD",
    path: "/errors/stock/apples",
    status: 410,
    text: "",
  },
  {
    name: "what a stream throws before its first value is handled",
    ...outOfStock("/errors/events", "pears"),
  },
  { name: "what middleware throws is handled", ...outOfStock("/errors/guarded", "guards") },
  {
    name: "a class of errors with a status",
    path: "/errors/closed",
    status: 410,
    problem: true,
  },
  {
    name: "a handler of errors that fails",
    path: "/errors/broken",
    status: 500,
    json: { type: "about:blank", title: "Internal Server Error", status: 500 },
  },
  {
    name: "an exception of Hono handled by its class",
    path: "/errors/hono",
    status: 402,
    text: "hono Pay",
  },
  {
    name: "an error of binding handled by the controller",
    path: "/errors/number?n=x",
    status: 400,
    json: {
      message: "Cannot bind the query parameter 'n': expected an integer, found 'x'",
      code: 400,
    },
  },
  {
    name: "headers of an HttpError go along with what handles it",
    path: "/errors/http",
    status: 429,
    json: { message: "Slower", code: 429 },
    responseHeaders: { "retry-after": "7" },
  },
  {
    name: "handlers of a controller are its own",
    path: "/errors/nothing",
    status: 404,
    problem: true,
  },
];
