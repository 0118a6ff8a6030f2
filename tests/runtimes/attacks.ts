/** Attacks on a server by what no client sends over a connection; the same seed gives the same attacks. */

/** The way in which a client uses one connection. */
export interface Attack {
  readonly name: AttackName;
  /** Each character is sent as one byte. */
  readonly text: string;
  /** In how many pieces, one after the other. */
  readonly pieces: number;
  /** How long to wait before each piece but the first, and before the end, in milliseconds. */
  readonly pauses: readonly number[];
  /** Whether the answer is read. */
  readonly isRead: boolean;
  /** How the client leaves: by a FIN, by a RST, or by a FIN whose answer it waits for. */
  readonly end: "close" | "reset" | "half-close";
}

/** The parts that an attack's text is made of. */
export const ATTACKS = {
  slow: (random: Random) => request(random),
  cut: (random: Random) => {
    const text = request(random);
    return text.slice(0, random.below(text.length));
  },
  pipelined: (random: Random) => {
    const all = Array.from({ length: 2 + random.below(10) }, () => request(random, ENDING));
    const last = [request(random), handshake(random), connect(random), noise(random, 50)];
    return all.join("") + random.of(last);
  },
  /** The first request is never answered. */
  abandoned: (random: Random) => {
    const all = Array.from({ length: 2 + random.below(10) }, () => request(random));
    return head("GET", "/left") + all.join("") +
      random.of(["", handshake(random), connect(random)]);
  },
  reset: (random: Random) => request(random),
  upgrade: (random: Random) => handshake(random) + random.of(["", "", request(random)]),
  connect: (random: Random) =>
    connect(random) + random.of(["", "\x16\x03\x01\x02", request(random)]),
  trailers: (random: Random) => {
    const trailer = random.of([
      "X-Trailer: 1",
      "Content-Length: 5",
      "Transfer-Encoding: chunked",
      "no field",
      `X-Large: ${"x".repeat(random.below(40_000))}`,
      Array.from({ length: 300 }, (_, index) => `X-${index}: 1`).join("\r\n"),
    ]);
    return `${chunkedHead(random)}${chunk("1")}0\r\n${trailer}\r\n\r\n`;
  },
  lengths: (random: Random) => {
    const lengths = [
      "0",
      "3",
      "5",
      "10",
      "-1",
      "+5",
      "5,5",
      "0x5",
      "1e1",
      "99999999999999999999",
      "",
    ];
    const fields = Array.from({ length: 1 + random.below(2) }, () => {
      return `Content-Length: ${random.of(lengths)}`;
    });
    const encoding = random.of([[], [], ["Transfer-Encoding: chunked"], [
      "Transfer-Encoding: gzip",
    ]]);
    return head("POST", random.of(BODIES), [...JSON_TYPE, ...fields, ...encoding]) + "12345";
  },
  chunks: (random: Random) => {
    const sizes = ["5", "5;x=1", "-5", "0x5", "5 ", "ffffffffffffffff", "fffffffe", "", "g", "05"];
    const chunks = Array.from({ length: 1 + random.below(4) }, () => {
      return `${random.of(sizes)}${
        random.of(["\r\n", "\n", "\r", `;${"x".repeat(random.below(20_000))}\r\n`])
      }${random.of(["12345", "1", "1234567"])}${random.of(["\r\n", "", "\n"])}`;
    });
    return chunkedHead(random) + chunks.join("") + random.of(["", "0\r\n\r\n"]);
  },
  headers: (random: Random) => {
    const large = random.of([
      [`X-Large: ${"x".repeat(random.below(300_000))}`],
      Array.from({ length: random.below(4000) }, (_, index) => `X-${index}: ${index}`),
      Array.from({ length: random.below(500) }, () => "Cookie: a=b"),
      [`${"X".repeat(random.below(100_000))}: 1`],
      [`Host: ${"h".repeat(random.below(30_000))}`],
      ["X\0: 1", "X: \0\x01", " folded: 1", ": 1", "X", "X : 1", noise(random, 200)],
    ]);
    const path = random.of([
      "/innocent",
      "/" + "x".repeat(random.below(100_000)),
      "/?" + "&a".repeat(9999),
    ]);
    return head(random.of(["GET", "POST", "X".repeat(500)]), path, large);
  },
  "half-closed": (random: Random) => request(random),
  garbage: (random: Random) => {
    return head("GET", "/socket", HANDSHAKE) +
      Array.from({ length: 1 + random.below(5) }, () => frame(random)).join("") +
      noise(random, 300);
  },
} as const satisfies Record<string, (random: Random) => string>;

export type AttackName = keyof typeof ATTACKS;

/** Makes attacks of each kind in turn. @param without kinds that are left out */
export function attacks(
  seed: number,
  count: number,
  without: readonly string[] = [],
): readonly Attack[] {
  const random = new Random(seed);
  const names = (Object.keys(ATTACKS) as AttackName[]).filter((name) => !without.includes(name));
  return Array.from({ length: count }, (_, index) => {
    const name = names[index % names.length] as AttackName;
    const text = ATTACKS[name](random);
    const pieces = name === "slow" ? 2 + random.below(30) : random.of([1, 1, 2, 3]);
    const pauses = Array.from({ length: pieces }, () => random.below(name === "slow" ? 20 : 60));
    const isRead = random.below(4) > 0;
    const end = name === "reset"
      ? "reset"
      : name === "half-closed"
      ? "half-close"
      : random.of(["close", "reset", "half-close"] as const);
    return { name, text, pieces, pauses, isRead, end };
  });
}

/** Numbers that look random and follow from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** Paths whose answers end by themselves. */
const ENDING = [
  ...["/innocent", "/none", "/created", "/redirect", "/not-modified", "/text", "/fails", "/slow"],
  ...["/large", "/socket", "/nowhere", "/%zz", "/a/../innocent"],
];
const PATHS = [...ENDING, "/left", "/events"];
const BODIES = ["/json", "/bytes", "/unread", "/nowhere", "/innocent"];
const JSON_TYPE = ["Content-Type: application/json"];
const HANDSHAKE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** A request that servers take. */
function request(random: Random, paths: readonly string[] = PATHS): string {
  if (random.below(3) > 0) {
    return head(random.of(["GET", "GET", "HEAD", "OPTIONS", "DELETE"]), random.of(paths));
  }
  const body = JSON.stringify("x".repeat(random.of([0, 10, 1000, 70_000, 200_000])));
  const path = random.of(BODIES);
  return random.below(2) === 0
    ? `${head("POST", path, [...JSON_TYPE, `Content-Length: ${body.length}`])}${body}`
    : `${head("POST", path, [...JSON_TYPE, "Transfer-Encoding: chunked"])}${chunk(body)}0\r\n\r\n`;
}

/** A handshake, right or wrong. */
function handshake(random: Random): string {
  const upgrade = random.of(["websocket", "websocket", "WebSocket", "h2c", "websocket, h2c", ""]);
  const fields = [
    random.of(["Connection: Upgrade", "Connection: keep-alive, upgrade", "Connection: close"]),
    `Upgrade: ${upgrade}`,
    `Sec-WebSocket-Version: ${random.of(["13", "13", "13", "8", ""])}`,
    `Sec-WebSocket-Key: ${random.of(["dGhlIHNhbXBsZSBub25jZQ==", "short"])}`,
    random.of([
      "X-Other: 1",
      "Content-Length: 5",
      "Expect: 100-continue",
      "Expect: more",
      "Origin:",
    ]),
  ];
  const hosts = random.of([["localhost"], ["localhost"], ["a b"], [], ["a", "b"], [""], ["a:b"]]);
  const path = random.of([...PATHS, "innocent", "/a\\b", "http://host:abc/", "*", "/\xff"]);
  const method = random.of(["GET", "GET", "GET", "GET", "POST", "HEAD"]);
  return [`${method} ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), ...fields, "\r\n"]
    .join("\r\n");
}

function connect(random: Random): string {
  const target = random.of([
    "h:443",
    "127.0.0.1:80",
    "/innocent",
    "*",
    "http://h/",
    "h",
    "[::1]:1",
  ]);
  const hosts = random.of(["Host: h:443\r\n", "", "Host: a b\r\n", "Host: a\r\nHost: b\r\n"]);
  return `CONNECT ${target} HTTP/1.${random.of([1, 1, 0])}\r\n${hosts}\r\n`;
}

function head(method: string, path: string, fields: readonly string[] = []): string {
  return [`${method} ${path} HTTP/1.1`, "Host: localhost", ...fields, "\r\n"].join("\r\n");
}

function chunkedHead(random: Random): string {
  return head("POST", random.of(BODIES), [...JSON_TYPE, "Transfer-Encoding: chunked"]);
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

/** The head of a frame of a WebSocket, mostly a wrong one, and less or more than it says. */
function frame(random: Random): string {
  const first = random.below(256);
  const length = random.of([0, 5, 125, 126, 127, 128, 133, 254, 255]);
  return String.fromCharCode(first, length) + noise(random, 140);
}

function noise(random: Random, limit: number): string {
  return String.fromCharCode(
    ...Array.from({ length: random.below(limit) }, () => random.below(256)),
  );
}
