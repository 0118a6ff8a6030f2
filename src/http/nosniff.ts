/**
 * The response with `X-Content-Type-Options: nosniff`: the client has to take the body for what its type says (Fetch,
 * 3.6). That of an upgrade (101) stays as it is.
 */
export function withNosniff(response: Response): Response {
  if (response.status === 101) return response;
  try {
    response.headers.set(NAME, VALUE);
    return response;
  } catch {
    // Those of `fetch` and `Response.redirect` cannot be changed.
    const copy = new Response(response.body, response);
    copy.headers.set(NAME, VALUE);
    return copy;
  }
}

const NAME = "X-Content-Type-Options";
const VALUE = "nosniff";
