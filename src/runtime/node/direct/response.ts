import { isBodiless, type Recipe } from "../../shared/responses.ts";

/**
 * Makes what finds the texts that responses were made of. `@hono/node-server` has put its own class in the place of
 * Node's, which keeps status, body and header fields until code asks for more.
 */
export function lightRecipes(): (response: Response) => Recipe | undefined {
  const key = Object.getOwnPropertySymbols(new Response(""))
    .find(({ description }) => description === "cache") ?? "";
  return (response) => {
    const kept = (response as unknown as Readonly<Record<symbol | string, unknown[]>>)[key] ?? [];
    const [status, body, headers] = kept as [number, unknown, unknown];
    if (typeof body !== "string" || status < 200 || status > 599 || isBodiless(status)) {
      return undefined;
    }
    // It does not copy those of the application, which may have made several responses with them.
    if (headers instanceof Headers) kept[2] = new Headers(headers);
    return { body, status };
  };
}
