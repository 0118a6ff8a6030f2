/** Spans of the command line in one file on Node, under an SDK of OpenTelemetry that `--import` loads. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { installed } from "../../tools/_npm.ts";
import { workspace } from "../e2e/command_line.ts";
import { runProgram } from "../servers/python.ts";
import { builtCli } from "./built_cli.ts";
import { node } from "./executables.ts";

/** Sends in the background, as those for production do: a process that only ends loses what it did. */
const REGISTER = `
import { createRequire } from "node:module";
import { appendFileSync } from "node:fs";
const require = createRequire(process.env.SDK + "/package.json");
const { trace } = require("@opentelemetry/api");
const { BasicTracerProvider, BatchSpanProcessor } = require("@opentelemetry/sdk-trace-base");
const exporter = {
  export(spans, done) {
    setTimeout(() => {
      for (const { name } of spans) appendFileSync(process.env.SPANS, name + "\\n");
      done({ code: 0 });
    }, 1);
  },
  async shutdown() {},
};
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }),
);
`;

for (const major of [22, 24] as const) {
  Deno.test({
    name:
      `migrate of the command line makes spans on Node ${major} with an SDK that --import loads`,
    // esbuild leaves its process behind.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using space = await workspace({
        "config/application.yml":
          'datasource: { name: main, url: "sqlite:./app.db", migrations: { enabled: true } }',
        "migrations/main/1.sql": "CREATE TABLE t (n INTEGER);",
        "register.mjs": REGISTER,
      });
      const SDK = await installed("otel", [
        "@opentelemetry/api@~1.9.0",
        "@opentelemetry/sdk-trace-base@^2.12.0",
      ]);
      const [command = "", ...args] = await node(major);
      const { code, text } = await runProgram(command, [
        ...args,
        "--import",
        join(space.path, "register.mjs"),
        await builtCli(space.path),
        ...["-c", join(space.path, "config"), "--sqlPath", join(space.path, "migrations")],
      ], { cwd: space.path, env: { SDK, SPANS: join(space.path, "spans") } });
      assertEquals(code, 0, text);
      assertEquals(
        await Deno.readTextFile(join(space.path, "spans")),
        "migrate main 1.sql\nmigrate main\n",
      );
    },
  });
}
