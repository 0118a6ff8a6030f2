/**
 * The contract with Hono: middleware sees and changes requests and answers as it does in a plain Hono application, whether
 * it is that of the application or of `@Use()`, in `app.fetch` and in `listen()`.
 */
import type { MiddlewareHandler } from "hono";
import { type Application, bootstrap, type Extension, RestController, Use } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { requestContext } from "@irori/irori/context";
import { quietly } from "../conformance/quietly.ts";
import { type Answer, type Ask, inProcess, overSocket } from "../exchange.ts";
import { CASES, type MiddlewareCase } from "./middleware_cases.ts";
import { Advice, honoOf, problemOf, Routes } from "./middleware_routes.ts";

export interface MiddlewareOutcome {
  readonly name: string;
  /** The notes of the middleware and the response, with Hono. */
  readonly hono: string;
  /** The same with ours. */
  readonly found: string;
}

/** Runs each case in each way, and says where it is not as in Hono. */
export async function middlewareContract(): Promise<readonly MiddlewareOutcome[]> {
  const outcomes: MiddlewareOutcome[] = [];
  for (const one of CASES) outcomes.push(...await quietly(() => outcomesOf(one)));
  return outcomes;
}

async function outcomesOf({ middleware, ...one }: MiddlewareCase): Promise<MiddlewareOutcome[]> {
  const notes: unknown[] = [];
  const made = middleware((...values) => void notes.push(...values));
  const seen = async (ask: Ask): Promise<string> => {
    const answer = lines(await ask(one));
    // Blanks before a parameter have no meaning (RFC 9110, 5.6.6).
    return [JSON.stringify(notes.splice(0)), ...answer].join("\n").replaceAll(
      "; charset",
      ";charset",
    );
  };
  const askHono = inProcess(honoOf(made).fetch);
  const hono = await seen((asked) => askHono(asked).catch(() => REJECTED));
  const outcomes: MiddlewareOutcome[] = [];
  for (const [cover, options] of Object.entries(coversOf(made))) {
    if (one.isOfApplication && options.used?.length) continue;
    await using app = await oursOf(options);
    const ways = {
      "app.fetch": inProcess(app.fetch),
      "listen()": overSocket((await app.listen()).url),
    };
    for (const [way, ask] of Object.entries(ways)) {
      const name = `${one.name}: ${cover}, ${way}`;
      if (KNOWN.some(({ cases }) => cases.test(name))) continue;
      outcomes.push({ name, hono, found: await seen(ask) });
    }
  }
  return outcomes;
}

/** Intended differences from Hono, each with its reason. */
const KNOWN: readonly { readonly cases: RegExp; readonly why: string }[] = [
  {
    cases: /^makes an ETag for HEAD of \/(?:own|stream):/,
    why: "HEAD cancels the body of a `Response` of a handler before middleware sees it",
  },
  { cases: /^answers 404 by c\.notFound\(\)/, why: "404 is an error, too" },
  {
    cases: /^neither answers nor goes on/,
    why: "The error is that of the middleware, so that those around it see its answer",
  },
];

interface Covering {
  /** Middleware of the application. */
  readonly middleware?: readonly MiddlewareHandler[];
  /** Middleware of the controller. */
  readonly used?: readonly MiddlewareHandler[];
  readonly extensions?: readonly Extension[];
}

/** Where the same middleware can be. */
function coversOf(middleware: readonly MiddlewareHandler[]): Readonly<Record<string, Covering>> {
  const [first, ...others] = middleware;
  return {
    application: { middleware },
    "@Use()": { used: middleware },
    "observed application": { middleware, extensions: [actuator(), requestContext()] },
    "observed @Use()": { used: middleware, extensions: [actuator(), requestContext()] },
    ...(first && others.length > 0 && { both: { middleware: [first], used: others } }),
  };
}

function oursOf({ used = [], ...options }: Covering): Promise<Application> {
  @RestController()
  @Use(...used)
  class Covered extends Routes {}
  return bootstrap({
    ...options,
    components: [Covered, Advice],
    config: { server: { port: 0, address: "127.0.0.1" } },
  });
}

/** Servers answer so what Hono throws on, that is no `Error`. */
const REJECTED: Answer = {
  status: 500,
  fields: [["content-type", "application/problem+json"]],
  body: JSON.stringify(problemOf(500, "/object")),
};

/** Set by servers, and by the library for every answer. */
const IGNORED = [
  ...["date", "connection", "keep-alive", "transfer-encoding", "x-content-type-options"],
];

function lines({ status, fields, body }: Answer): readonly (string | number)[] {
  // Ours gives an id to what it logs.
  const kept = fields.filter(([name, value]) =>
    !IGNORED.includes(name) && !(name === "x-request-id" && value.length === 36)
  );
  return [status, ...kept.map((field) => field.join(": ")), "", body];
}
