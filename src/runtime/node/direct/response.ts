import type { ServerResponse } from "node:http";
import { type findRecipes, isBodiless, type Recipe } from "../../shared/responses.ts";

/** Finds the texts that responses were made of, which the class of `@hono/node-server` keeps until code reads them. */
export function lightRecipes(): Parameters<typeof findRecipes>[0] {
  const key = Object.getOwnPropertySymbols(new Response(""))
    .find(({ description }) => description === "cache");
  if (key === undefined) return (_, own) => own;
  return (response, own) => {
    const kept = (response as unknown as Readonly<Record<symbol, unknown[] | undefined>>)[key];
    if (kept === undefined) return response.bodyUsed ? undefined : own;
    const [status, body, headers] = kept as [number, unknown, unknown];
    if (own || typeof body !== "string" || status < 200 || status > 599 || isBodiless(status)) {
      return own;
    }
    // It does not copy those of the application, which may have made several responses with them.
    if (headers instanceof Headers) kept[2] = new Headers(headers);
    return { body, status };
  };
}

export function writeRecipe(
  outgoing: ServerResponse,
  { status, body, fields }: Recipe,
  { headers }: Response,
): void {
  if (fields !== undefined) {
    outgoing.writeHead(status, { ...fields, "Content-Length": Buffer.byteLength(body) });
    return void outgoing.end(body);
  }
  // Before bytes, a head is sent as it is; together with a text it would become UTF-8.
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, [...[...headers].flat(), "Content-Length", `${bytes.length}`]);
  outgoing.end(bytes);
}
