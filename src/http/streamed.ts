import { isEventStream } from "../text/mod.ts";
import { formatOf, typeOfBody } from "./_render_value.ts";
import { isBodiless } from "./body.ts";
import { isPieceSource, Pieces, type PieceSource } from "./pieces.ts";
import { render } from "./render.ts";
import { ResponseEntity } from "./response_entity.ts";
import { EVENT_STREAM } from "./server_sent_events.ts";

/** How long the head of a response waits for the first piece of its body, in milliseconds. */
const PATIENCE = 1000;

/** Ready with the first piece or after a second, so that earlier errors get their own status. */
export function streamed(
  value: unknown,
  status = 200,
  type: string = EVENT_STREAM,
  heartbeat = 0,
): Promise<Response> | undefined {
  if (value instanceof ResponseEntity) {
    return isPieceSource(value.body) && !isBodiless(value.status.value)
      ? streamedEntity(value, value.body, heartbeat)
      : undefined;
  }
  if (!isPieceSource(value) || isBodiless(status)) return undefined;
  return opened(value, type, heartbeat, (stream) => {
    const response = render(stream, status);
    response.headers.set("Content-Type", typeOfBody(type, value));
    return response;
  });
}

function streamedEntity(
  entity: ResponseEntity,
  source: PieceSource,
  heartbeat: number,
): Promise<Response> {
  const type = entity.headers.get("Content-Type") ?? EVENT_STREAM;
  return opened(source, type, heartbeat, (stream) => {
    return entity.withHeader("Content-Type", typeOfBody(type, source)).setBody(stream).toResponse();
  });
}

async function opened(
  source: PieceSource,
  type: string,
  heartbeat: number,
  respond: (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => Response,
): Promise<Response> {
  const stream = await new Pieces(source, formatOf(type)).opened(PATIENCE, heartbeat * 1000);
  try {
    return uncached(respond(stream), type);
  } catch (error) {
    // Its source has begun. Not awaited: it may sleep.
    stream.cancel().catch(() => {});
    throw error;
  }
}

/** Proxies must not keep events back, nor give them to others. */
function uncached(response: Response, type: string): Response {
  const { headers } = response;
  if (isEventStream(type) && !headers.has("Cache-Control")) {
    headers.set("Cache-Control", "no-cache");
  }
  return response;
}
