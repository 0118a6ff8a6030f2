import { bun, type Command, DENO, node } from "../../tests/runtimes/executables.ts";
import type { SETTINGS } from "./settings.ts";

/** A runtime, and what is compared on it; the first one is bare. */
export interface Arena {
  /** As the table is headed. */
  readonly runtime: "JVM" | Runtime | `${Runtime}, ${keyof typeof SETTINGS}`;
  /** What a compiled server is run with. */
  readonly command: () => Command | Promise<Command>;
  readonly contenders: readonly Contender[];
}

type Runtime = "Node" | "Deno" | "Bun";

/** A server of the routes. */
export interface Contender {
  readonly name: string;
  /** Its source, from this folder. */
  readonly source: string;
  /** The files whose lines count; its source when left out. */
  readonly application?: readonly string[];
  /** Whether it is said to make the checks of ours: it has to refuse all that is asked of it. */
  readonly hasSameChecks?: boolean;
  /** Whether it uses TypeScript's old decorators. */
  readonly hasLegacyDecorators?: boolean;
  /** What it has beside the routes. */
  readonly setting?: keyof typeof SETTINGS;
}

const CHECKS = "servers/checks.ts";
const SCHEMAS = "servers/schemas.ts";

const BARE_FETCH: Omit<Contender, "name"> = {
  source: "servers/bare_fetch.ts",
  application: ["servers/bare_fetch.ts", "servers/bare_fetch_app.ts", CHECKS, SCHEMAS],
};
const HONO: Contender = {
  name: "Hono",
  source: "servers/hono.ts",
  application: ["servers/hono_app.ts", SCHEMAS],
};
/** With the checks, limits, headers and problem details that ours has without being asked. */
const SAME_ANSWERS: Contender = {
  name: "Hono, same answers",
  source: "servers/hono_same_answers.ts",
  application: ["servers/hono_same_answers_app.ts", CHECKS, SCHEMAS],
};
const OURS: Contender = {
  name: "Irori",
  source: "servers/ours.ts",
  application: ["servers/ours_app.ts", SCHEMAS],
  hasSameChecks: true,
};

const EQUIPPED: Contender = {
  ...OURS,
  source: "servers/ours_equipped.ts",
  application: ["servers/ours_equipped.ts", "servers/ours_app.ts", SCHEMAS],
  setting: "equipped",
};

const OURS_FOR_BROWSERS: Contender = {
  ...OURS,
  source: "servers/ours_browser.ts",
  application: ["servers/ours_browser.ts", "servers/ours_app.ts", SCHEMAS],
  setting: "browser",
};
const HONO_FOR_BROWSERS: Contender = {
  ...HONO,
  source: "servers/hono_browser.ts",
  application: ["servers/hono_browser.ts", "servers/hono_app.ts", SCHEMAS],
  setting: "browser",
};
const SMALL = "servers/small_middleware.ts";
/** The same on each runtime. */
const WITH_MIDDLEWARE: readonly Contender[] = [
  {
    ...HONO,
    source: "servers/hono_middleware.ts",
    application: ["servers/hono_middleware.ts", SMALL, "servers/hono_app.ts", SCHEMAS],
    setting: "middleware",
  },
  {
    ...OURS,
    source: "servers/ours_middleware.ts",
    application: ["servers/ours_middleware.ts", SMALL, "servers/ours_app.ts", SCHEMAS],
    setting: "middleware",
  },
];

/** Who meets whom. */
export const ARENAS: readonly Arena[] = [
  {
    runtime: "Node",
    command: () => node(24),
    contenders: [
      {
        name: "node:http",
        source: "servers/bare_node.ts",
        application: ["servers/bare_node.ts", "servers/bare_node_app.ts", CHECKS, SCHEMAS],
        hasSameChecks: true,
      },
      HONO,
      SAME_ANSWERS,
      {
        name: "Fastify",
        source: "peers/fastify.ts",
        application: ["peers/fastify.ts", "peers/fastify_app.ts"],
      },
      { name: "NestJS on Fastify", source: "peers/nest.ts", hasLegacyDecorators: true },
      OURS,
    ],
  },
  {
    runtime: "Deno",
    command: () => DENO,
    contenders: [
      { name: "Deno.serve", ...BARE_FETCH },
      HONO,
      SAME_ANSWERS,
      OURS,
    ],
  },
  {
    runtime: "Bun",
    command: bun,
    contenders: [
      { name: "Bun.serve", ...BARE_FETCH },
      HONO,
      SAME_ANSWERS,
      {
        name: "Elysia",
        source: "peers/elysia.ts",
        application: ["peers/elysia.ts", "peers/elysia_app.ts"],
      },
      OURS,
    ],
  },
  {
    runtime: "Node, equipped",
    command: () => node(24),
    contenders: [
      {
        name: "Fastify",
        source: "peers/fastify_equipped.ts",
        application: ["peers/fastify_equipped.ts", "peers/fastify_app.ts"],
        setting: "equipped",
      },
      EQUIPPED,
    ],
  },
  {
    runtime: "Bun, equipped",
    command: bun,
    contenders: [
      {
        name: "Elysia",
        source: "peers/elysia_equipped.ts",
        application: ["peers/elysia_equipped.ts", "peers/elysia_app.ts"],
        setting: "equipped",
      },
      EQUIPPED,
    ],
  },
  {
    runtime: "Node, browser",
    command: () => node(24),
    contenders: [
      {
        name: "Fastify",
        source: "peers/fastify_browser.ts",
        application: ["peers/fastify_browser.ts", "peers/fastify_app.ts"],
        setting: "browser",
      },
      HONO_FOR_BROWSERS,
      OURS_FOR_BROWSERS,
    ],
  },
  {
    runtime: "Deno, browser",
    command: () => DENO,
    contenders: [HONO_FOR_BROWSERS, OURS_FOR_BROWSERS],
  },
  {
    runtime: "Bun, browser",
    command: bun,
    contenders: [
      HONO_FOR_BROWSERS,
      {
        name: "Elysia",
        source: "peers/elysia_browser.ts",
        application: ["peers/elysia_browser.ts", "peers/elysia_app.ts"],
        setting: "browser",
      },
      OURS_FOR_BROWSERS,
    ],
  },
  { runtime: "Node, middleware", command: () => node(24), contenders: WITH_MIDDLEWARE },
  { runtime: "Deno, middleware", command: () => DENO, contenders: WITH_MIDDLEWARE },
  { runtime: "Bun, middleware", command: bun, contenders: WITH_MIDDLEWARE },
  {
    runtime: "JVM",
    command: () => ["java"],
    contenders: [
      { name: "Spring Boot", source: "peers/spring/src/main/java/bench/Application.java" },
    ],
  },
];

/** What npm installs beside the packed library, for it and for those who do without a framework of their own. */
export const OUR_PACKAGES: readonly string[] = [
  ...["hono@4", "@hono/node-server@2", "zod@4", "jose@6"],
  ...["@logtape/logtape@2", "@logtape/redaction@2"],
];

/** What npm installs for the others. */
export const PEERS: readonly string[] = [
  "fastify@5",
  "@nestjs/common@12",
  "@nestjs/core@12",
  "@nestjs/platform-fastify@12",
  "class-transformer@0.5",
  "class-validator@0.15",
  "reflect-metadata@0.2",
  "rxjs@7",
  "elysia@1.4",
  ...["@fastify/jwt@10", "fastify-metrics@14", "@platformatic/prom-client@1"],
  ...["@fastify/cors@11", "@fastify/helmet@13", "@elysiajs/cors@1.4"],
  ...["@elysiajs/bearer@1.4", "@elysiajs/jwt@1.4", "elysia-prometheus@1", "prom-client@15"],
  "@bogeychan/elysia-logger@0.1",
];
