import type { Context } from "hono";
import { isEventStream } from "../text/mod.ts";
import { isBodiless, isPlain } from "./body.ts";
import { formatOf, renderBody, typeOfBody } from "./body_kinds.ts";
import { isPieceSource, Pieces, type PieceSource } from "./pieces.ts";
import { isProblemDetail, type ProblemDetail } from "./problem.ts";
import { ResponseEntity } from "./response_entity.ts";
import { withType } from "./sendable.ts";
import { isUpgrade, type Serving, UPGRADE, type Upgrade } from "./serving.ts";
import { EVENT_STREAM } from "./server_sent_events.ts";
import { HttpStatus } from "./status.ts";
import { withNosniff } from "./with_header.ts";

/** A kind of value that handlers return: how it is recognized, sent and checked. */
interface ValueKind<V = unknown> {
  is(value: unknown): value is V;
  /** Whether status, media type and, where it is no entity, body are its own, whatever the mapping says. */
  readonly isComplete?: true;
  /** Whether its body may still be produced while it is sent. */
  isStreaming?(value: V): boolean;
  respond(value: V, status?: number, type?: string): Response;
  /** A promise where the response has to wait: for the connection, or for the first piece of its body. */
  open?(value: V, to: Answered): Promise<Response> | undefined;
}

interface Answered {
  readonly context: Context;
  readonly serving?: Serving;
  readonly status?: number;
  readonly type?: string;
}

/** The types of values that are complete, by the body which `returns` describes. */
export type CompleteValue<B> = ResponseEntity<B | ProblemDetail> | ProblemDetail | Response;

const PLAIN: ValueKind = { is: (value): value is unknown => isPlain(value), respond: renderBody };

const UPGRADES: ValueKind<Upgrade> = {
  is: isUpgrade,
  isComplete: true,
  respond: renderBody,
  open: (value, { context, serving }) => value[UPGRADE](context, serving),
};

const RESPONSES: ValueKind<Response> = {
  is: isResponse,
  isComplete: true,
  isStreaming: () => true,
  respond: (response) => withNosniff(withType(response)),
};

const ENTITIES: ValueKind<ResponseEntity> = {
  is: (value) => value instanceof ResponseEntity,
  isComplete: true,
  isStreaming: ({ body }) => isStreaming(body),
  respond: (entity) => withNosniff(entity.toResponse()),
  open(entity, { context, serving }) {
    const { body, status } = entity;
    const isOpened = isPieceSource(body) && !isBodiless(status.value) &&
      context.req.raw.method !== "HEAD";
    return isOpened ? openStream(entity, body, serving) : undefined;
  },
};

const PROBLEMS: ValueKind<ProblemDetail> = {
  is: isProblemDetail,
  isComplete: true,
  respond(problem) {
    const entity = ResponseEntity.status(HttpStatus.of(problem.status));
    return withNosniff(entity.withJson(problem).toResponse());
  },
};

const BODIES: ValueKind = {
  is: (_): _ is unknown => true,
  isStreaming: (value) => value instanceof ReadableStream || isPieceSource(value),
  respond: renderBody,
  open(value, to) {
    if (!isPieceSource(value)) return undefined;
    const { status = 200, type = EVENT_STREAM } = to;
    const entity = ResponseEntity.status(HttpStatus.of(status)).withHeader("Content-Type", type);
    return ENTITIES.open?.(entity.setBody(value), to);
  },
};

/** The first that fits a value counts. */
const VALUE_KINDS: readonly ValueKind[] = [PLAIN, UPGRADES, RESPONSES, ENTITIES, PROBLEMS, BODIES];

export function valueKind(value: unknown): ValueKind {
  return VALUE_KINDS.find((kind) => kind.is(value))!;
}

export function isStreaming(value: unknown): boolean {
  return valueKind(value).isStreaming?.(value) === true;
}

export function render(value: unknown, status?: number): Response {
  return valueKind(value).respond(value, status);
}

/** By its tag too: `@hono/node-server` replaces the global class, of which the responses of `fetch` are no instances. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response ||
    (typeof value === "object" && value !== null && Symbol.toStringTag in value &&
      value[Symbol.toStringTag] === "Response");
}

/** How long the head of a response waits for the first piece of its body, in milliseconds. */
const PATIENCE = 1000;

async function openStream(
  entity: ResponseEntity,
  source: PieceSource,
  serving: Serving | undefined,
): Promise<Response> {
  const type = entity.headers.get("Content-Type") ?? EVENT_STREAM;
  const heartbeat = (serving?.heartbeatSeconds ?? 0) * 1000;
  const stream = await new Pieces(source, formatOf(type)).open(PATIENCE, heartbeat);
  try {
    const { headers } = entity.withHeader("Content-Type", typeOfBody(source, type))
      .setBody(stream);
    if (isEventStream(type) && !headers.has("Cache-Control")) {
      headers.set("Cache-Control", "no-cache");
    }
    return withNosniff(entity.toResponse());
  } catch (error) {
    // Its source has begun. Not awaited: it may sleep.
    stream.cancel().catch(() => {});
    throw error;
  }
}
