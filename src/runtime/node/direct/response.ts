import { isBodiless, type Recipe } from "../../shared/responses.ts";

/** Finds the texts that responses were made of, which the class of `@hono/node-server` keeps until code reads them. */
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
