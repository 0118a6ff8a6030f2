/** A response whose body is made while it is sent; adapters have to treat it otherwise than one that is there. */
export function streamedResponse(body: ReadableStream<Uint8Array>, init: Response): Response {
  const response: Streamed = new Response(body, init);
  response[STREAM] = body;
  return response;
}

/** The body of a {@linkcode streamedResponse}. To ask any response for its `body` would cost each of them. */
export function streamOf(response: Response): ReadableStream<Uint8Array> | undefined {
  return (response as Streamed)[STREAM];
}

/** Registered, as the npm package has this module twice. */
const STREAM: unique symbol = Symbol.for("irori.stream") as never;

interface Streamed extends Response {
  [STREAM]?: ReadableStream<Uint8Array>;
}
