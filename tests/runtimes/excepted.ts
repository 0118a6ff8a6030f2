/** They write header values as UTF-8, Node at least where the body is a text. */
const LATIN_1 = "answers: a header in Latin-1";
/** Its `Response` does not tell bytes from a text. */
const UNTYPED = "answers: a Response with bytes and no type";
/** They take it for a text. */
const NOT_CHOSEN = "bodies: a file that was not chosen";
/** Bun leaves a port away that is none; where Deno gives it on, `listen()` looks at it. */
const NO_PORT = "raw: an absolute request target that is no URL";
/** It ignores the version of HTTP. */
const NO_HOST = "raw: HTTP/1.1 without 'Host'";
/** Cases that the servers of the runtimes answer differently, before any application receives them. */
export const EXCEPTED: Readonly<Record<string, readonly string[]>> = {
  Deno: [NO_HOST],
  "Deno + deno serve": [NO_HOST, NO_PORT],
  Bun: ["raw: OPTIONS of the server", NO_PORT, UNTYPED],
  // Without `listen()` Bun sends nothing of an answer whose body fails soon.
  "Bun + default export": [
    "raw: OPTIONS of the server",
    NO_PORT,
    UNTYPED,
    "raw: a body that fails at once cuts the connection without its message",
    "raw: events that fail cut the connection without their message",
  ],
  workerd: [LATIN_1, NOT_CHOSEN],
  Miniflare: [LATIN_1, NOT_CHOSEN],
  // `@hono/node-server` refuses an empty port.
  Node: ["raw: 'Host: localhost:' is a host", LATIN_1],
};
