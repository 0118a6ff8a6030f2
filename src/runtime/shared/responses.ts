/** The client has to take the body for what its type says (Fetch, 3.6). */
export const NOSNIFF = { "X-Content-Type-Options": "nosniff" } as const;

/** Responses for one user must not be stored by a shared cache (RFC 9111, 5.2.2.5). */
export const NO_STORE = { "Cache-Control": "no-store" } as const;

export const JSON_FIELDS: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  ...NOSNIFF,
};

/** The header fields of an answer: what makes a response with them, and names and values in turn, as Node takes them. */
export interface Head {
  readonly make: ResponseMaker;
  readonly flat: readonly string[];
}

export type ResponseMaker = (body: BodyInit | null, status: number) => Response;

const { Deno, Bun } = globalThis as { readonly Deno?: unknown; readonly Bun?: unknown };
const isNode = !Deno && !Bun;

/** Whether responses of this status have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

export interface Recipe {
  readonly body: string;
  readonly status: number;
  /** As long as no code can have changed those of the response. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** The arguments that a response was made with. Status and body stay the same, even if header fields change later. */
export function recipeOf(response: Prepared): Recipe | undefined {
  return response[RECIPE] = shared[FIND]
    ? shared[FIND](response, response[RECIPE])
    : response[RECIPE];
}

/** Says whether a recipe of the library still holds, and finds those of responses that other code has made. */
export function findRecipes(find: (response: Response, own?: Recipe) => Recipe | undefined): void {
  shared[FIND] = find;
}

/** Registered, as the npm package has this module twice. */
const FIND: unique symbol = Symbol.for("irori.findRecipe") as never;

const shared = globalThis as { [FIND]?: Parameters<typeof findRecipes>[0] };

/** Says what a response was made of, whatever its header fields. Node alone writes a text without the response. */
export function prepared(
  response: Response,
  body: unknown,
  status: number,
  fields?: Recipe["fields"],
): Response {
  if (isNode && typeof body === "string") (response as Prepared)[RECIPE] = { body, status, fields };
  return response;
}

/** To be called before other code may change the header fields of a response. */
export function invalidateFastPath(response: Response): void {
  const recipe = recipeOf(response);
  if (recipe?.fields === undefined) return;
  const { body, status } = recipe;
  (response as Prepared)[RECIPE] = { body, status };
}

/** Registered, as the npm package has this module twice. */
const RECIPE: unique symbol = Symbol.for("irori.recipe") as never;

interface Prepared extends Response {
  [RECIPE]?: Recipe | undefined;
  [STREAM]?: ReadableStream<Uint8Array>;
}

/**
 * Prepares responses that have the same header fields, the way that the runtime is quickest at: Deno serves a response
 * whose only field is its type by a path of its own, and receives further fields later; Bun copies a `Headers` and Node
 * an object. What it is worth is in `docs/benchmarks.md`.
 */
export function responsesWith(fields: Readonly<Record<string, string>>): ResponseMaker {
  const headers = Bun ? new Headers(fields) : fields;
  const respond: ResponseMaker = (body, status) =>
    prepared(new Response(body, { status, headers }), body, status, fields);
  return Deno ? typeFirst(fields, respond) : respond;
}

function typeFirst(
  { "Content-Type": type, ...others }: Readonly<Record<string, string>>,
  otherwise: ResponseMaker,
): ResponseMaker {
  if (type === undefined) return otherwise;
  const headers = { "Content-Type": type };
  const [names, values] = [Object.keys(others), Object.values(others)];
  return (body, status) => {
    // Deno has that path for texts.
    if (typeof body !== "string") return otherwise(body, status);
    const response = new Response(body, { status, headers });
    // By index: to take pairs apart costs as much as to set one.
    const all = response.headers;
    for (let index = 0; index < names.length; index++) {
      all.set(names[index] as string, values[index] as string);
    }
    return response;
  };
}

/** A response whose body is made while it is sent; adapters have to treat it otherwise than one that is there. */
export function streamedResponse(body: ReadableStream<Uint8Array>, init: Response): Response {
  const response: Prepared = new Response(body, init);
  response[STREAM] = body;
  return response;
}

/** The body of a {@linkcode streamedResponse}. To ask any response for its `body` would cost each of them. */
export function streamOf(response: Response): ReadableStream<Uint8Array> | undefined {
  return (response as Prepared)[STREAM];
}

/** Registered, as the npm package has this module twice. */
const STREAM: unique symbol = Symbol.for("irori.stream") as never;
