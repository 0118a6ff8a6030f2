/** They write header values as UTF-8, Node at least where the body is a text. */
const LATIN_1 = "answers: a header in Latin-1";
/** What is not ours to answer: cases that the servers themselves answer otherwise, in front of every application. */
export const EXCEPTED: Readonly<Record<string, readonly string[]>> = {
  // Says nothing about the version of HTTP.
  Deno: ["raw: HTTP/1.1 without 'Host'"],
  Bun: ["raw: OPTIONS of the server"],
  workerd: [LATIN_1],
  Miniflare: [LATIN_1],
  Node: [LATIN_1],
};
