/** The response with a header field, for which it is copied where its own cannot be changed. */
export function withHeader(response: Response, name: string, value: string): Response {
  try {
    response.headers.set(name, value);
    return response;
  } catch {
    // Those of `fetch` and `Response.redirect` cannot be changed.
    const copy = new Response(response.body, response);
    copy.headers.set(name, value);
    return copy;
  }
}

/**
 * The response with `X-Content-Type-Options: nosniff`: the client has to take the body for what its type says (Fetch,
 * 3.6). That of an upgrade (101) stays as it is.
 */
export function withNosniff(response: Response): Response {
  if (response.status === 101) return response;
  return withHeader(response, "X-Content-Type-Options", "nosniff");
}
