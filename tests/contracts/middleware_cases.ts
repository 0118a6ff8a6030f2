/** Middleware as users write it, at least once for each promise of Hono. */
import type { Context, MiddlewareHandler, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { logger } from "hono/logger";
import { poweredBy } from "hono/powered-by";
import { prettyJSON } from "hono/pretty-json";
import { requestId } from "hono/request-id";
import { timeout } from "hono/timeout";
import { timing } from "hono/timing";
import { appendTrailingSlash, trimTrailingSlash } from "hono/trailing-slash";
import { type Application, bootstrap, GetMapping, RestController } from "@irori/irori";
import type { Asked } from "../exchange.ts";

/** Keeps values that have to be the same as with Hono. */
export type Note = (...values: unknown[]) => void;

export interface MiddlewareCase extends Asked {
  readonly name: string;
  readonly middleware: (note: Note) => readonly MiddlewareHandler[];
  /** Whether the path has no route. */
  readonly isOfApplication?: true;
}

const before = (act: (context: Context) => unknown): MiddlewareHandler => async (context, next) => {
  await act(context);
  await next();
};
const after = (act: (context: Context) => unknown): MiddlewareHandler => async (context, next) => {
  await next();
  await act(context);
};
const replaced = (text: string, headers: [string, string][]) =>
  after((c) => {
    c.res = new Response(text, { status: 202, headers });
  });
const headOf = ({ res: { status, headers } }: Context) => [
  status,
  ...["content-type", "content-length", "x-own", "location"].map((name) => headers.get(name)),
  headers.getSetCookie(),
];

type Deed = Pick<MiddlewareCase, "middleware"> & Partial<Asked>;

/** Done to an answer of each kind. */
const DEEDS: Readonly<Record<string, Deed>> = {
  "reads the response": {
    middleware: (note) => [
      after((c) => note("outer", headOf(c))),
      after((c) => note("inner", headOf(c), c.res === c.res)),
    ],
  },
  "reads a copy of the body": {
    middleware: (note) => [after(async (c) => note(await c.res.clone().text()))],
  },
  "changes the headers of the response it has read": {
    middleware: (note) => [
      after((c) => note(c.res.headers.get("x-inner"))),
      after((c) => {
        c.res = new Response(c.res.body, c.res);
        c.res.headers.set("X-Inner", "1");
        c.res.headers.append("Set-Cookie", "inner=1");
        c.res.headers.delete("X-Own");
      }),
    ],
  },
  "assigns a response with cookies": {
    middleware: (note) => [
      after((c) => note(headOf(c))),
      replaced("other", [["Content-Type", "text/other"], ["X-Own", "2"], ["Set-Cookie", "a=1"], [
        "Set-Cookie",
        "b=2",
      ]]),
    ],
  },
  "assigns a response with another type": {
    middleware: () => [replaced("{}", [["Content-Type", "application/json"]])],
  },
  "assigns a response without those headers": {
    middleware: () => [
      after((c) => {
        c.res = undefined;
        c.res = new Response("bare", { headers: { "Content-Type": "text/bare" } });
      }),
    ],
  },
  "sets, appends and deletes headers by c.header() afterwards": {
    middleware: () => [
      after((c) => c.header("X-Outer", "1")),
      after((c) => {
        c.header("X-After", "1");
        c.header("X-After", "2", { append: true });
        c.header("Set-Cookie", "after=1", { append: true });
        c.header("Set-Cookie", "after=2", { append: true });
        c.header("X-Own");
        c.header("Content-Type", "text/after");
      }),
    ],
  },
  "sets headers, then reads, then sets more": {
    middleware: (note) => [
      after((c) => {
        c.header("X-A", "1");
        note(headOf(c), c.res.headers.get("x-a"));
        c.header("X-B", "2");
        note(c.res.headers.get("x-b"));
        c.res.headers.set("X-C", "3");
        c.header("X-A");
      }),
    ],
  },
  "prepares headers by c.header() before": {
    middleware: () => [
      before((c) => {
        c.set("seen", "prepared");
        c.header("X-Own", "prepared");
        c.header("X-Before", "1");
      }),
    ],
  },
  "tells whether there is an answer": {
    middleware: (note) => [async (c, next) => {
      note(c.finalized);
      await next();
      note(c.finalized, c.error?.message);
    }],
  },
  "compresses": {
    fields: [["Accept-Encoding", "gzip"]],
    middleware: (note) => [after((c) => note(headOf(c))), compress({ threshold: 0 })],
  },
  "makes an ETag": { middleware: () => [etag()] },
  "makes an ETag for HEAD": { method: "HEAD", middleware: () => [etag()] },
  "adds for HEAD": {
    method: "HEAD",
    middleware: (note) => [after((c) => {
      c.header("X-After", "1");
      note(headOf(c));
    })],
  },
  "has Hono's small middleware around": {
    fields: [["X-Request-Id", "known"]],
    middleware: (note) => [
      logger((line) => note(line.replace(/\d+m?s$/, ""))),
      requestId(),
      poweredBy(),
      after((c) => {
        const times = c.res.headers.get("server-timing");
        note(times?.replace(/[\d.]+/, "0"), c.get("requestId"));
        c.header("Server-Timing");
      }),
      timing(),
      timeout(5000),
      prettyJSON({ space: 3 }),
    ],
  },
  "makes JSON pretty": {
    middleware: () => [before((c) => void c.req.query("pretty")), prettyJSON({ query: "q" })],
  },
};
const KINDS = [
  "/object",
  "/text",
  "/long",
  "/none",
  "/own",
  "/redirect",
  "/stream",
  "/context",
  "/fails",
  "/refuses",
  "/special",
];

const ANSWERS = Object.entries(DEEDS).flatMap(([name, deed]) =>
  KINDS.map((path): MiddlewareCase => ({ ...deed, path: `${path}?q`, name: `${name} of ${path}` }))
);

const JSON_BODY: Partial<Asked> = {
  method: "POST",
  fields: [["Content-Type", "application/json"]],
  body: '{"a":"b"}',
};
const FORM_BODY: Partial<Asked> = {
  method: "POST",
  fields: [["Content-Type", "application/x-www-form-urlencoded"]],
  body: "a=b",
};
const limited = bodyLimit({ maxSize: 5 });
const wide = bodyLimit({ maxSize: 500 });

const BODIES: readonly MiddlewareCase[] = [
  ...[["/json", JSON_BODY], ["/words", JSON_BODY], ["/request", JSON_BODY], ["/form", FORM_BODY]]
    .flatMap(([path, body]): readonly MiddlewareCase[] => {
      const sent = { ...body as Partial<Asked>, path: path as string };
      const reading = (name: string, read: (context: Context) => unknown): MiddlewareCase => ({
        ...sent,
        name: `${name} before ${path} binds`,
        middleware: (note) => [before(async (c) => note(await read(c)))],
      });
      return [
        reading("c.req.text()", (c) => c.req.text()),
        reading("c.req.arrayBuffer()", async (c) => (await c.req.arrayBuffer()).byteLength),
        reading("c.req.parseBody()", (c) => c.req.parseBody()),
        reading("a clone", (c) => c.req.raw.clone().text()),
        { ...sent, name: `bodyLimit lets ${path} pass`, middleware: () => [wide] },
        {
          ...sent,
          name: `bodyLimit lets ${path} pass in pieces`,
          isChunked: true,
          middleware: () => [wide],
        },
        {
          ...sent,
          name: `bodyLimit refuses what is too much for ${path}`,
          body: "x".repeat(20),
          middleware: (note) => [after((c) => note(c.error?.message)), limited],
        },
      ];
    }),
  ...["/json", "/words", "/request"].map((path): MiddlewareCase => ({
    ...JSON_BODY,
    path,
    name: `c.req.json() before ${path} binds`,
    middleware: (note) => [before(async (c) => note(await c.req.json()))],
  })),
  {
    ...FORM_BODY,
    path: "/form",
    name: "c.req.formData() before a form binds",
    middleware: (note) => [before(async (c) => note((await c.req.formData()).get("a")))],
  },
  ...["/json", "/words", "/request"].map((path): MiddlewareCase => ({
    ...JSON_BODY,
    path,
    name: `replaces the request of ${path}`,
    middleware: () => [
      before((c) => {
        c.req.raw = new Request(c.req.raw, { body: '{"c":"d"}' });
      }),
    ],
  })),
  ...["/json", "/words", "/request"].map((path): MiddlewareCase => ({
    ...JSON_BODY,
    path,
    name: `bodyLimit refuses what is too much in pieces for ${path}`,
    body: '"longer than it"',
    isChunked: true,
    middleware: () => [limited],
  })),
];

const throwing = (value: unknown): MiddlewareHandler => () => {
  throw value;
};
const watched = (inner: MiddlewareHandler) => (note: Note): readonly MiddlewareHandler[] => [
  async (c, next) => {
    await next();
    note(c.finalized, c.error?.name);
    c.header("X-Outer", "1");
  },
  inner,
];

/** Middleware that goes wrong, or answers. */
const ENDS: Readonly<Record<string, MiddlewareHandler>> = {
  "returns a response without next()": (c) => Promise.resolve(c.text("short", 403)),
  "assigns a response without next()": (c) => {
    c.res = new Response("assigned", { status: 202, headers: { "Content-Type": "text/own" } });
    return Promise.resolve();
  },
  "returns a response behind next()": async (c, next) => {
    await next();
    return c.text("late", 202);
  },
  "answers 404 by c.notFound()": async (c) => await c.notFound(),
  "sets a response before the handler": async (c, next) => {
    c.res = new Response("early", { headers: { "Content-Type": "text/own", "X-Early": "1" } });
    await next();
  },
  "neither answers nor goes on": () => Promise.resolve(),
  "throws an Error": throwing(new Error("thrown")),
  "throws an Error of Hono": throwing(new HTTPException(402, { message: "paid" })),
  "throws an Error with a response": throwing(
    new HTTPException(401, { res: new Response("no", { status: 401 }) }),
  ),
  "throws an Error behind next()": after(() => {
    throw new Error("late");
  }),
  "catches nothing of the handler": async (c: Context, next: Next) => {
    try {
      await next();
      c.header("X-Tried", c.error ? "error" : "none");
    } catch {
      c.header("X-Tried", "caught");
    }
  },
  "calls next() twice": async (_, next) => {
    await next();
    await next();
  },
};

const ENDINGS = Object.entries(ENDS).flatMap(([name, inner]) =>
  ["/object", "/own", "/fails"].map((path): MiddlewareCase => ({
    path,
    name: `${name} (${path})`,
    middleware: watched(inner),
  }))
);

@RestController()
class Inner {
  @GetMapping("/inner")
  inner() {
    return { inner: true };
  }
}

let inner: Promise<Application> | undefined;

/** A response of another application, with other header fields. */
async function changedAnswer(): Promise<Response> {
  const app = await (inner ??= bootstrap({ components: [Inner] }));
  const response = await app.request("/inner");
  response.headers.set("Content-Type", "application/vnd.inner+json");
  response.headers.set("Cache-Control", "no-store");
  response.headers.append("Set-Cookie", "inner=1");
  return response;
}

const FORWARDED: readonly MiddlewareCase[] = [
  {
    path: "/text",
    name: "answers with the changed answer of another application",
    middleware: () => [changedAnswer],
  },
  {
    path: "/text",
    name: "sets the changed answer of another application",
    middleware: () => [async (c) => {
      c.res = await changedAnswer();
    }],
  },
];

export const CASES: readonly MiddlewareCase[] = [
  ...FORWARDED,
  ...ANSWERS,
  ...BODIES,
  ...ENDINGS,
  ...[undefined, "text", null].map((value): MiddlewareCase => ({
    path: "/object",
    name: `throws ${value}`,
    middleware: () => [throwing(value)],
  })),
  {
    path: "/long",
    name: "answers 304 to a client that has the ETag",
    fields: [["If-None-Match", '"known"']],
    middleware: () => [
      etag(),
      after((c) => {
        c.header("ETag", '"known"');
        c.header("Cache-Control", "no-cache");
      }),
    ],
  },
  {
    path: "/slow",
    name: "gives up a slow handler",
    middleware: (note) => [after((c) => note(c.error?.message)), timeout(10)],
  },
  ...[["/text/", trimTrailingSlash()], ["/nowhere", appendTrailingSlash()], ["/none/", etag()]]
    .map(([path, one]): MiddlewareCase => ({
      path: path as string,
      name: `an answer to ${path}`,
      isOfApplication: true,
      middleware: (note) => [
        after((c) => note(headOf(c))),
        one as MiddlewareHandler,
        after((c) => c.header("X-After", "1")),
      ],
    })),
];
