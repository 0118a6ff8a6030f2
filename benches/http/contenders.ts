import { bun, type Command, DENO, node } from "../../tests/runtimes/executables.ts";
import { type Scenario, type Setting, SETTINGS } from "./settings.ts";

/** A runtime in a scenario, and what is compared there; the others are compared with the first one. */
export interface Arena {
  readonly runtime: Runtime;
  readonly scenario: Scenario;
  readonly setting: Setting;
  /** Compiles or installs first where the server needs it. */
  readonly command: () => Command | Promise<Command>;
  readonly contenders: readonly Contender[];
}

/** A server of the routes. */
export interface Contender extends Program {
  readonly name: string;
  /** Whether it is said to make the checks of ours: it has to refuse all that is asked of it. */
  readonly hasSameChecks?: boolean;
}

/** The source of a server. */
export interface Program {
  /** From this folder. */
  readonly source: string;
  /** Whether it uses TypeScript's old decorators. */
  readonly hasLegacyDecorators?: boolean;
}

const COMMANDS = { Node: () => node(24), Deno: () => DENO, Bun: bun, JVM: () => ["java"] };

/** All runtimes, in the order of the tables. */
export const RUNTIMES = Object.keys(COMMANDS) as readonly Runtime[];

export type Runtime = keyof typeof COMMANDS;

/** All servers. The source of one in a scenario is the file with the suffix of the scenario beside this one. */
const SERVERS = {
  "node:http": { source: "servers/bare_node.ts", hasSameChecks: true },
  "Deno.serve": { source: "servers/bare_fetch.ts" },
  "Bun.serve": { source: "servers/bare_fetch.ts" },
  "Hono": { source: "servers/hono.ts" },
  /** With the checks, limits, headers and problem details that ours has without being asked. */
  "Hono, same answers": { source: "servers/hono_same_answers.ts" },
  "Fastify": { source: "peers/fastify.ts" },
  "NestJS on Fastify": { source: "peers/nest.ts", hasLegacyDecorators: true },
  "Elysia": { source: "peers/elysia.ts" },
  "Spring Boot": { source: "peers/spring/src/main/java/bench/Application.java" },
  "Irori": { source: "servers/ours.ts", hasSameChecks: true },
} satisfies Readonly<Record<string, Omit<Contender, "name">>>;

type Names = { readonly [R in Runtime]?: readonly (keyof typeof SERVERS)[] };

const WITH_PLUGINS: Names = {
  Node: ["Fastify", "NestJS on Fastify", "Hono", "Irori"],
  Deno: ["Hono", "Irori"],
  Bun: ["Hono", "Elysia", "Irori"],
};

/** The servers that are measured against each other in each scenario. */
const TABLE: Readonly<Record<Scenario, Names>> = {
  plain: {
    Node: ["node:http", "Hono", "Hono, same answers", "Fastify", "NestJS on Fastify", "Irori"],
    Deno: ["Deno.serve", "Hono", "Hono, same answers", "Irori"],
    Bun: ["Bun.serve", "Hono", "Hono, same answers", "Elysia", "Irori"],
    JVM: ["Spring Boot"],
  },
  browser: WITH_PLUGINS,
  middleware: WITH_PLUGINS,
  equipped: WITH_PLUGINS,
  "100 kB": WITH_PLUGINS,
};

/** All scenarios of a runtime one after the other, as goals compare them. */
export const ARENAS: readonly Arena[] = RUNTIMES.flatMap((runtime) =>
  (Object.keys(SETTINGS) as Scenario[]).flatMap((scenario) => {
    const names = TABLE[scenario][runtime];
    if (names === undefined) return [];
    const setting: Setting = SETTINGS[scenario];
    const contenders = names.map((name) => {
      const server: Omit<Contender, "name"> = SERVERS[name];
      return { ...server, name, source: server.source.replace(/(?=\.ts$)/, setting.suffix) };
    });
    return [{ runtime, scenario, setting, command: COMMANDS[runtime], contenders }];
  })
);

/** As tables are headed. */
export function titleOf({ runtime, scenario }: Pick<Arena, "runtime" | "scenario">): string {
  return scenario === "plain" ? runtime : `${runtime}, ${scenario}`;
}

/** npm installs these beside the packed library, for it and for the servers without a framework. */
export const OUR_PACKAGES: readonly string[] = [
  ...["hono@4", "@hono/node-server@2", "zod@4", "jose@6"],
  ...["@logtape/logtape@2", "@logtape/redaction@2"],
];

/** npm installs these for the other servers. */
export const PEERS: readonly string[] = [
  ...["@hono/prometheus@1", "prom-client@15"],
  ...["fastify@5", "@fastify/cors@11", "@fastify/helmet@13", "@fastify/jwt@10"],
  ...["fastify-metrics@14", "@platformatic/prom-client@1"],
  ...["@nestjs/common@12", "@nestjs/core@12", "@nestjs/platform-fastify@12", "@nestjs/jwt@12"],
  ...["class-transformer@0.5", "class-validator@0.15", "reflect-metadata@0.2", "rxjs@7"],
  ...["elysia@1.4", "@elysiajs/cors@1.4", "@elysiajs/bearer@1.4", "@elysiajs/jwt@1.4"],
  ...["elysia-prometheus@1", "@bogeychan/elysia-logger@0.1"],
];
