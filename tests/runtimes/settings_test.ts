/** The conformance suite against applications with all that those of users have beside their routes. */
import { assertEquals, assertGreater } from "@std/assert";
import { cases } from "../conformance/cases/mod.ts";
import { rawConformance } from "../conformance/raw_runner.ts";
import { conformance } from "../conformance/runner.ts";
import { AUTHORIZATION, SETTINGS } from "./app/settings.ts";
import { socketConformance } from "../conformance/socket.ts";
import type { Case } from "../conformance/types.ts";
import { EXCEPTED } from "./excepted.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { APP, Project, testsOn } from "./project.ts";
import { serving } from "./serving.ts";

const project = Project.equipped().then(async (made) => {
  await made.addBundle(`${APP}/conforming.ts`, "conforming.mjs");
  return made;
});
const test = testsOn("settings", project);
const RUNTIMES: Readonly<Record<string, () => Command | Promise<Command>>> = {
  Deno: () => DENO,
  "Node 22": () => node(22),
  "Node 24": () => node(24),
  Bun: bun,
};

/** The cases whose answers a setting changes. */
const CHANGED: Readonly<
  Record<
    string,
    { readonly asked: readonly Case[]; readonly rewrite?: (request: string) => string }
  >
> = {
  // Both answer each preflight themselves, and `cors()` each OPTIONS.
  browser: { asked: cases.filter(({ path }) => !/^\/cors\/(data|private)/.test(path)) },
  hono: { asked: cases.filter(({ method }) => method !== "OPTIONS") },
  equipped: {
    // The credentials of `bearerAuth()` are none for `security()`.
    asked: cases.filter(({ path }) => path !== "/cors/private").map(authorized),
    rewrite: (request) => request.replace("\r\n", `\r\nAuthorization: ${AUTHORIZATION}\r\n`),
  },
};

/** Routes that are secured in every setting have credentials of their own. */
function authorized(one: Case): Case {
  if (one.path.startsWith("/secured")) return one;
  const { headers, responseHeaders } = one;
  return {
    ...one,
    headers: { Authorization: AUTHORIZATION, ...headers },
    ...(responseHeaders && {
      responseHeaders: {
        ...responseHeaders,
        // A response for one user is not stored.
        ...(responseHeaders["cache-control"] === null && { "cache-control": "no-store" }),
      },
    }),
  };
}

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  for (const kind of [...Object.keys(SETTINGS), "extended"]) {
    test(`pass the conformance suite on ${runtime}: ${kind}`, async (made) => {
      const line = [...await command(), made.file("conforming.mjs"), kind];
      await using server = await serving(line, made.path, 1);
      const [url = ""] = server.urls;
      const { hostname, port } = new URL(url);
      const { asked = cases, rewrite } = CHANGED[kind] ?? {};
      const outcomes = [
        ...await conformance(url, asked),
        ...await rawConformance(hostname, Number(port), false, rewrite),
      ];
      assertGreater(outcomes.length, 400);
      const excepted = EXCEPTED[runtime.split(" ")[0] ?? ""] ?? [];
      const failed = outcomes.filter(({ name, failures }) =>
        failures.length > 0 && !excepted.includes(name)
      );
      assertEquals(failed, []);
      // A `WebSocket` sends no credentials.
      if (kind !== "equipped") assertEquals(await socketConformance(url), []);
    });
  }
}
