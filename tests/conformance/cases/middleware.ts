import type { Case } from "../types.ts";

const marks = (value: string) => ({ "x-marks": value });

/** The SHA-1 of the body. */
const ETAG = '"8e1ec218dc7ecaadd65388fba9b6723ce114268a"';

const preflight = (name: string, method: string, origin: string): Case => ({
  name,
  method: "OPTIONS",
  path: "/cors/data",
  headers: { Origin: origin, "Access-Control-Request-Method": method },
  status: 204,
  responseHeaders: { "access-control-allow-origin": origin },
});

export const middleware: readonly Case[] = [
  {
    name: "middleware of the class",
    path: "/middleware/open",
    status: 200,
    text: "open",
    responseHeaders: marks("class"),
  },
  {
    name: "middleware of the class is around that of the method",
    method: "POST",
    path: "/middleware/open",
    status: 200,
    text: "marked",
    responseHeaders: marks("method, class"),
  },
  {
    name: "middleware that answers with a text and a header",
    path: "/middleware/answered",
    status: 200,
    text: "answered",
    responseHeaders: { "content-type": "text/plain;charset=UTF-8", "x-own": "1" },
  },
  {
    name: "middleware that is a bean, in its place",
    path: "/middleware/bean",
    status: 200,
    text: "port 0",
    responseHeaders: marks("below, 2000 11, above, class"),
  },
  {
    name: "middleware runs before 405",
    method: "DELETE",
    path: "/middleware/open",
    status: 405,
    problem: true,
    responseHeaders: marks("put, method, class"),
  },
  {
    name: "middleware runs before the automatic OPTIONS",
    method: "OPTIONS",
    path: "/middleware/fails",
    status: 204,
    responseHeaders: marks("class"),
  },
  {
    name: "middleware runs before 415",
    method: "PUT",
    path: "/middleware/open",
    headers: { "Content-Type": "text/plain" },
    body: () => "a",
    status: 415,
    problem: true,
    responseHeaders: marks("put, class"),
  },
  {
    name: "middleware goes on after a handler that fails",
    path: "/middleware/fails",
    status: 500,
    problem: true,
    responseHeaders: marks("class"),
  },
  {
    name: "headers that were prepared on Hono's context",
    path: "/middleware/prepared",
    status: 200,
    text: "prepared",
    responseHeaders: { "x-prepared": "1", "content-type": "text/plain;charset=UTF-8" },
  },
  preflight("a preflight takes the middleware of GET", "GET", "https://get.example"),
  preflight("a preflight takes the middleware of POST", "POST", "https://post.example"),
  {
    name: "CORS of a handler",
    method: "POST",
    path: "/cors/data",
    headers: { Origin: "https://post.example" },
    status: 200,
    text: "posted",
    responseHeaders: { "access-control-allow-origin": "https://post.example" },
  },
  {
    name: "a middleware that refuses keeps the headers of those around it",
    path: "/cors/private",
    headers: { Origin: "https://get.example" },
    status: 401,
    problem: true,
    responseHeaders: {
      "access-control-allow-origin": "https://get.example",
      "www-authenticate": 'Bearer realm=""',
    },
  },
  {
    name: "a middleware that lets pass",
    path: "/cors/private",
    headers: { Authorization: "Bearer good" },
    status: 200,
    text: "private",
  },
  {
    name: "ETag and request id from Hono's shelf",
    path: "/cors/tagged",
    status: 200,
    text: "tagged",
    responseHeaders: { "x-request-id": "made", etag: ETAG },
  },
  {
    name: "HEAD has the ETag of GET",
    method: "HEAD",
    path: "/cors/tagged",
    status: 200,
    text: "",
    responseHeaders: { etag: ETAG },
  },
  {
    name: "a body that the client has already",
    path: "/cors/tagged",
    headers: { "If-None-Match": ETAG },
    status: 304,
    text: "",
  },
];
