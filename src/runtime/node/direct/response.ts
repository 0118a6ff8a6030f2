import { type findRecipes, isBodiless } from "../../shared/responses.ts";

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
