import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { InterruptedError } from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { endLease, Kill } from "./kill.ts";
import { connectionOf, FILES } from "./kill_files.ts";
import { apply, resolved } from "./runner.ts";

const CHILD = fromFileUrl(new URL("kill_child.ts", import.meta.url));
const POST = "2-post.json";

/** The requests of an undisturbed run. */
async function steps(): Promise<readonly string[]> {
  await using double = await cluster({});
  assertEquals((await apply(connectionOf(double.url), FILES)).error, undefined);
  assert(double.requests.length > 10);
  return double.requests.slice(1).map(({ line }) => line);
}

async function cluster(options: Parameters<typeof startClusterDouble>[0]): Promise<ClusterDouble> {
  const double = startClusterDouble(options);
  await (await fetch(`${double.url}/obsolete`, { method: "PUT" })).body?.cancel();
  return double;
}

function start(url: string): Deno.ChildProcess {
  const args = ["run", "-A", "--no-check", "--quiet", CHILD, url];
  return new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "null" }).spawn();
}

for (const [index, step] of (await steps()).entries()) {
  for (const when of ["before", "after"] as const) {
    Deno.test(`a run that is killed ${when} request ${index + 1}, ${step}, is no dead end`, async () => {
      let posts = 0;
      const kill = new Kill(index + 1, when);
      await using double = await cluster({
        intercept: kill.intercept,
        loseAnswer: (line) => {
          if (line === "POST /_aliases") posts++;
          return kill.loseAnswer();
        },
      });
      await kill.of(start(double.url));

      endLease(double);
      // Once the file before it is recorded, it is unknown whether the POST was received.
      const undecided = recorded(double, "1-logs-template.json") && !recorded(double, POST);
      let report = await apply(connectionOf(double.url), FILES);
      if (undecided) {
        assertInstanceOf(report.error, InterruptedError);
        assertEquals(report.error.file, POST);
        await resolved(connectionOf(double.url), FILES, POST, posts === 1 ? "applied" : "retry");
        report = await apply(connectionOf(double.url), FILES);
      }
      assertEquals(report.error, undefined);
      assertEquals(posts, 1);
      for (const path of Object.keys(FILES)) assert(recorded(double, path), path);
      const [template, policy] = ["1-logs-template.json", "3-old-policy.json"];
      const hashes = [template, POST, policy].map((path) =>
        typeof sourceOf(double, path)?.values_hash
      );
      assertEquals(hashes, ["string", "string", "undefined"]);
      assertEquals((await apply(connectionOf(double.url), FILES)).requests, 1);
      const lockNow = double.documents.indices.get("framework_migrations_lock")!.documents.get(
        "logs",
      )!;
      assertEquals((lockNow.source as { state: string }).state, "free");
    });
  }
}

function recorded(double: ClusterDouble, path: string): boolean {
  return sourceOf(double, path) !== undefined;
}

function sourceOf(
  { documents }: ClusterDouble,
  path: string,
): Readonly<Record<string, unknown>> | undefined {
  const record = documents.indices.get("framework_migrations")?.documents.get(`logs/${path}`);
  return record?.source as Record<string, unknown> | undefined;
}
