/** Asks an application in process and over a connection, so that the two answers can be compared. */
import { Talk } from "./runtimes/talk.ts";

/** A request as a `Request` and a connection can have it. */
export interface Asked {
  /** @default "GET" */
  readonly method?: string;
  /** Path and query, as a URL has them. */
  readonly path: string;
  readonly fields?: Fields;
  /** Its bytes, each as a character. */
  readonly body?: string;
  /** Whether the body comes without its length. */
  readonly isChunked?: boolean;
}

export type Fields = readonly (readonly [name: string, value: string])[];

export interface Answer {
  readonly status: number;
  /** Sorted by their names in lower case, each once with its values; without a length that is right. */
  readonly fields: Fields;
  /** Its bytes, each as a character. */
  readonly body: string;
}

/** Sends a request in one of the ways. */
export type Ask = (asked: Asked) => Promise<Answer>;

/** Asks `fetch` of an application, or of anything like it. */
export function inProcess(fetch: (request: Request) => Response | Promise<Response>): Ask {
  return async (asked) => {
    const bytes = asked.body === undefined ? undefined : bytesOf(asked.body);
    const request = new Request(`http://localhost${asked.path}`, {
      method: asked.method,
      headers: sentFields(asked).map(([name, value]): [string, string] => [name, value]),
      body: bytes && asked.isChunked ? new Blob([bytes]).stream() : bytes,
      // Without it no runtime takes a stream as a body.
      ...{ duplex: "half" },
    });
    const response = await fetch(request);
    const body = decodeLatin1(new Uint8Array(await response.arrayBuffer()));
    return answerOf(request.method, response.status, [...response.headers], body);
  };
}

/** Asks a server, each time over a connection of its own. */
export function overSocket(url: string): Ask {
  return async (asked) => {
    const { method = "GET", path, body } = asked;
    const fields = [["Host", "localhost"], ["Connection", "close"], ...sentFields(asked)];
    const head = [`${method} ${path} HTTP/1.1`, ...fields.map((field) => field.join(": "))];
    const sent = asked.isChunked ? chunkOf(body) : body;
    const talk = new Talk(url);
    talk.send(`${head.join("\r\n")}\r\n\r\n${sent ?? ""}`, "latin1");
    return parse(await talk.ended(), method);
  };
}

function chunkOf(body = ""): string {
  return `${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;
}

function sentFields({ fields = [], body, isChunked }: Asked): Fields {
  if (body === undefined) return fields;
  return [
    ...fields,
    isChunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", `${body.length}`],
  ];
}

function parse(text: string, method: string): Answer {
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...lines] = text.slice(0, end).split("\r\n");
  const fields = lines.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  const body = text.slice(end + 4);
  const isChunked = method !== "HEAD" && fields.some(([name]) => name === "transfer-encoding");
  const status = Number(line.split(" ")[1]);
  return answerOf(method, status, fields, isChunked ? dechunk(body) : body);
}

function answerOf(method: string, status: number, fields: Fields, body: string): Answer {
  const values = new Map<string, string>();
  for (const [name, value] of fields) {
    if (name === "content-length" && (method === "HEAD" || Number(value) === body.length)) continue;
    values.set(name, values.has(name) ? `${values.get(name)}, ${value}` : value);
  }
  return { status, fields: [...values].toSorted(([a], [b]) => a < b ? -1 : 1), body };
}

/** Text behind the last chunk is left, so that it is seen. */
function dechunk(body: string): string {
  let text = "";
  let rest = body;
  while (true) {
    const end = rest.indexOf("\r\n");
    const size = parseInt(rest.slice(0, end), 16);
    if (!(size >= 0)) return `${text}<no chunk: ${rest}>`;
    text += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + 4 + size);
    if (size === 0) return text + rest;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function decodeLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
