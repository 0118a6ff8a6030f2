import { runSpan } from "../../../src/features/monitoring/spans.ts";
import { DatabaseError } from "../../../src/migrations/sql/errors.ts";
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import {
  loadConfig,
  migrateSearch,
  migrateSql,
  MigrationRunError,
} from "../../../src/migrations/mod.ts";
import { MemoryServer, memoryTarget } from "../../migrations/runner/memory.ts";
import { CLI, workspace } from "../../e2e/command_line.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { runProgram } from "../../servers/python.ts";

const CONFIG = `
datasource:
  - { name: main, url: "sqlite:./app.db", migrations: { enabled: true } }
`;

async function withSdk(test: (spans: () => readonly ReadableSpan[]) => Promise<void>) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  try {
    await test(() => exporter.getFinishedSpans());
  } finally {
    await provider.shutdown();
    trace.disable();
    context.disable();
  }
}

Deno.test("migrateSql() makes a span for the run and for each file that it applies, below the active one", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/main/2.sql": "INSERT INTO t VALUES (42);",
  });
  const config = await loadConfig({ root: space.path });
  await withSdk(async (spans) => {
    const { spanId } = await trace.getTracer("test").startActiveSpan("deploy", async (span) => {
      await migrateSql()(config);
      span.end();
      return span.spanContext();
    });
    const [first, second, run] = spans();
    const common = {
      "db.system.name": "sqlite",
      "db.operation.name": "migrate",
      "irori.migration.connection": "main",
    };
    assertEquals([first?.name, second?.name, run?.name], [
      "migrate main 1.sql",
      "migrate main 2.sql",
      "migrate main",
    ]);
    assertEquals(first?.attributes, {
      ...common,
      "irori.migration.file": "1.sql",
      "irori.migration.kind": "sql",
      "irori.migration.outcome": "applied",
    });
    assertEquals(run?.attributes, {
      ...common,
      "irori.migration.applied": 2,
      "irori.migration.stopped": false,
    });
    assertEquals([first?.kind, run?.kind], [SpanKind.CLIENT, SpanKind.INTERNAL]);
    assertEquals(first?.parentSpanContext?.spanId, run?.spanContext().spanId);
    assertEquals(run?.parentSpanContext?.spanId, spanId);
    assertEquals(spans().map(({ status }) => status.code), spans().map(() => SpanStatusCode.UNSET));

    await migrateSql()(config);
    assertEquals(
      spans().slice(4).map(({ name, attributes }) => {
        return [name, attributes["irori.migration.applied"]];
      }),
      [["migrate main", 0]],
    );
  });
});

Deno.test("migrateSql() marks the failed file, and does not record statements", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "INSERT INTO missing VALUES ('s3cr3t');",
  });
  const config = await loadConfig({ root: space.path });
  await withSdk(async (spans) => {
    const error = await assertRejects(() => migrateSql()(config), MigrationRunError);
    // Runtimes print this for an error that is not caught.
    assertEquals(
      error.message.startsWith("Cannot apply 'main/1.sql:1': The database refused "),
      true,
    );
    assertEquals([error.results[0]?.outcome, Object.keys(error)], ["failed", ["name"]]);
    assertEquals(
      spans().map(({ name, status, attributes, events }) => {
        return [name, status, attributes["error.type"], events.length];
      }),
      ["migrate main 1.sql", "migrate main"].map((name) => {
        return [name, { code: SpanStatusCode.ERROR }, "MigrationFailedError", 0];
      }),
    );
    const all = JSON.stringify(
      spans().map(({ name, attributes, status }) => [name, attributes, status]),
    );
    assertEquals(/s3cr3t|missing|INSERT|app\.db/.test(all), false, all);
  });
});

Deno.test("runSpan() + the type of a failure is the code of the database, where it has one", async () => {
  const refused = new DatabaseError("refused", "no", { code: "23505" });
  const target = memoryTarget(new MemoryServer());
  await withSdk(async (spans) => {
    for (const cause of [refused, new DatabaseError("refused", "no"), undefined]) {
      const error = new Error("failed", { cause });
      await assertRejects(() => runSpan(target, () => Promise.reject(error)));
    }
    assertEquals(
      spans().map(({ attributes }) => [
        attributes["error.type"],
        attributes["db.response.status_code"],
      ]),
      [["23505", "23505"], ["Error", undefined], ["Error", undefined]],
    );
  });
});

Deno.test("migrateSql() does not mark a run that was stopped as failed", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/main/2.sql": "INSERT INTO t VALUES (42);",
  });
  const config = await loadConfig({ root: space.path });
  await withSdk(async (spans) => {
    const stop = new AbortController();
    const onEvent = () => stop.abort(new Error("enough"));
    await assertRejects(
      () => migrateSql({ signal: stop.signal, onEvent })(config),
      MigrationRunError,
    );
    const run = spans().at(-1);
    assertEquals([run?.status.code, run?.attributes["irori.migration.stopped"]], [
      SpanStatusCode.UNSET,
      true,
    ]);
  });
});

Deno.test("migrateSearch() makes spans, too, with an error where no server answers", async () => {
  const double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml":
      `search: { name: logs, hosts: ["${double.url}"], migrations: { enabled: true } }`,
    "migrations/logs/a-template.json": '{"index_patterns":["a-*"],"priority":1}',
  });
  const config = await loadConfig({ root: space.path });
  await withSdk(async (spans) => {
    await migrateSearch()(config);
    await double.stop();
    assertInstanceOf(await migrateSearch()(config).catch((error) => error), MigrationRunError);
    assertEquals(
      spans().map((
        { name, attributes },
      ) => [name, attributes["db.system.name"], attributes["error.type"]]),
      [
        ["migrate logs a-template.json", "opensearch", undefined],
        ["migrate logs", "opensearch", undefined],
        ["migrate logs", "opensearch", "ConnectionError"],
      ],
    );
  });
});

Deno.test("migrate of the command line makes spans with OTEL_DENO", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE t (n INTEGER);",
  });
  const bodies: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      bodies.push(await request.text());
      return Response.json({});
    },
  );
  try {
    const args = ["-c", join(space.path, "config"), "--sqlPath", join(space.path, "migrations")];
    const { code, text } = await runProgram(
      Deno.execPath(),
      ["run", "-A", "--quiet", CLI, ...args],
      {
        cwd: space.path,
        env: {
          OTEL_DENO: "true",
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
        },
      },
    );
    assertEquals(code, 0, text);
  } finally {
    await server.shutdown();
  }
  for (const name of ["migrate main", "migrate main 1.sql"]) {
    assert(
      bodies.some((body) => body.includes(`"name": "${name}"`)),
      bodies.join("\n").slice(0, 2000),
    );
  }
});
