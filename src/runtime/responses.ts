/** Makes a response of a body and a status. */
export type ResponseMaker = (body: BodyInit | null, status: number) => Response;

/**
 * Prepares responses that have the same header fields, the way that the runtime is quickest at: Deno serves a response
 * whose only field is its type by a path of its own, and is told of further fields later; Bun copies a `Headers` and
 * Node an object. What it is worth is in `docs/benchmarks.md`.
 *
 * @param fields values by name
 */
export function responsesWith(fields: Readonly<Record<string, string>>): ResponseMaker {
  const { Deno, Bun } = globalThis as Globals;
  const headers = Bun ? new Headers(fields) : fields;
  const respond: ResponseMaker = (body, status) => new Response(body, { status, headers });
  return Deno ? typeFirst(fields, respond) : respond;
}

function typeFirst(
  { "Content-Type": type, ...others }: Readonly<Record<string, string>>,
  otherwise: ResponseMaker,
): ResponseMaker {
  if (type === undefined) return otherwise;
  const init = { status: 200, headers: { "Content-Type": type } };
  const [names, values] = [Object.keys(others), Object.values(others)];
  return (body, status) => {
    // Deno has that path for no other status, and for texts.
    if (status !== 200 || typeof body !== "string") return otherwise(body, status);
    const response = new Response(body, init);
    // By index: to take pairs apart costs as much as to set one.
    const { headers } = response;
    for (let index = 0; index < names.length; index++) {
      headers.set(names[index] as string, values[index] as string);
    }
    return response;
  };
}

interface Globals {
  readonly Deno?: unknown;
  readonly Bun?: unknown;
}
