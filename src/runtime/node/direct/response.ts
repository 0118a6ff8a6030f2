import { isBodiless, type Recipe } from "../../shared/responses.ts";

/** What `@hono/node-server` keeps of a response until code asks for more: status, body and header fields. */
type Kept = [status: number, body: unknown, headers: unknown];

/** Makes what finds the texts that responses were made of: that package has put its own class in the place of Node's. */
export function lightRecipes(): (response: Response) => Recipe | undefined {
  const keys = Object.getOwnPropertySymbols(new Response(""));
  const key = keys.find(({ description }) => description === "cache");
  return (response) => {
    const kept = key && (response as unknown as Readonly<Record<symbol, Kept | undefined>>)[key];
    if (kept === undefined) return undefined;
    const [status, body, headers] = kept;
    const isSent = status >= 200 && status <= 599 && !isBodiless(status);
    if (typeof body !== "string" || !isSent) return undefined;
    // It does not copy those of the application, which may have made several responses with them.
    if (headers instanceof Headers) kept[2] = new Headers(headers);
    return { body, status };
  };
}
