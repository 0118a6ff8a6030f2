import { bun, type Command, DENO, node } from "../../tests/runtimes/executables.ts";

/** A runtime, and what is compared on it; the first one is bare. */
export interface Arena {
  /** As the table is headed. */
  readonly runtime: "Node" | "Deno" | "Bun" | "JVM";
  /** What a compiled server is run with. */
  readonly command: () => Command | Promise<Command>;
  readonly contenders: readonly Contender[];
}

/** A server of the three routes. */
export interface Contender {
  readonly name: string;
  /** Its source, from this folder. */
  readonly source: string;
  /** The file whose lines count; its source when left out. */
  readonly application?: string;
  /** Whether it uses TypeScript's old decorators. */
  readonly hasLegacyDecorators?: boolean;
}

const HONO: Contender = { name: "Hono", source: "servers/hono.ts" };
/** With the checks, limits, headers and problem details that ours has without being asked. */
const SAME_ANSWERS: Contender = {
  name: "Hono, same answers",
  source: "servers/hono_same_answers.ts",
  application: "../web/by_hand.ts",
};
const OURS: Contender = { name: "Irori", source: "servers/ours.ts" };

/** Who meets whom. */
export const ARENAS: readonly Arena[] = [
  {
    runtime: "Node",
    command: () => node(22),
    contenders: [
      { name: "node:http", source: "servers/bare_node.ts" },
      HONO,
      SAME_ANSWERS,
      { name: "Fastify", source: "peers/fastify.ts" },
      { name: "NestJS on Fastify", source: "peers/nest.ts", hasLegacyDecorators: true },
      OURS,
    ],
  },
  {
    runtime: "Deno",
    command: () => DENO,
    contenders: [
      { name: "Deno.serve", source: "servers/bare_fetch.ts" },
      HONO,
      SAME_ANSWERS,
      OURS,
    ],
  },
  {
    runtime: "Bun",
    command: bun,
    contenders: [
      { name: "Bun.serve", source: "servers/bare_fetch.ts" },
      HONO,
      SAME_ANSWERS,
      { name: "Elysia", source: "peers/elysia.ts" },
      OURS,
    ],
  },
  {
    runtime: "JVM",
    command: () => ["java"],
    contenders: [
      { name: "Spring Boot", source: "peers/spring/src/main/java/bench/Application.java" },
    ],
  },
];

/** What npm installs for them, beside the packed library. */
export const PACKAGES: readonly string[] = [
  "hono@4",
  "@hono/node-server@2",
  "zod@4",
  "fastify@5",
  "@nestjs/common@12",
  "@nestjs/core@12",
  "@nestjs/platform-fastify@12",
  "class-transformer@0.5",
  "class-validator@0.15",
  "reflect-metadata@0.2",
  "rxjs@7",
  "elysia@1.4",
];
