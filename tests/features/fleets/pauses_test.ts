import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { onTerminal } from "../../terminal.ts";
import { clusters, outcomesOf, project, template } from "./fleets_support.ts";

const FILES = { "logs/1-template.json": template("one") };

async function fleetOf(doubles: ReturnType<typeof clusters>, pause: unknown) {
  const own = { c1: { hosts: doubles.c1!.url, group: "canary" }, m1: { hosts: doubles.m1!.url } };
  return await project({ each: { clusters: own, groups: ["canary"], pause } }, FILES);
}

const notices = ({ events }: Awaited<ReturnType<typeof project>>) =>
  events.flatMap((event) => event.type === "notice" ? event.message : []);

Deno.test("a run that was killed in its pause is followed by one that waits for the rest", async () => {
  await using doubles = clusters(["c1", "m1"]);
  await using fleet = await fleetOf(doubles, 2);
  // The same as a kill: the canary is changed, and the others are not.
  await fleet.migrate({ only: ["c1"] });
  const started = performance.now();
  assertEquals(outcomesOf(await fleet.migrate()), ["c1 unchanged", "m1 migrated"]);
  assert(performance.now() - started > 500);
  assertMatch(notices(fleet)[0]!, /^Waits [12] s after the group 'canary', before the clusters/);
  fleet.events.length = 0;
  await fleet.migrate();
  assertEquals(notices(fleet), []);
});

Deno.test("a pause that is over is not waited for again", async () => {
  await using doubles = clusters(["c1", "m1"]);
  await using fleet = await fleetOf(doubles, 0.3);
  await fleet.migrate({ only: ["c1"] });
  await new Promise((done) => setTimeout(done, 400));
  assertEquals(outcomesOf(await fleet.migrate()), ["c1 unchanged", "m1 migrated"]);
  assertEquals(notices(fleet), []);
});

Deno.test("a terminal is asked again after a kill, as long as the next group has pending files", async () => {
  await using doubles = clusters(["c1", "m1"]);
  await using fleet = await fleetOf(doubles, "confirm");
  let asked = 0;
  const ask = (answer: boolean) => () => {
    asked++;
    return Promise.resolve(answer);
  };
  await fleet.migrate({ only: ["c1"] });
  const refused = await fleet.migrate({ ask: ask(false) });
  assertEquals(outcomesOf(refused), ["c1 unchanged", "logs failed", "m1 not run"]);
  const agreed = await fleet.migrate({ ask: ask(true) });
  assertEquals(outcomesOf(agreed), ["c1 unchanged", "m1 migrated"]);
  assertEquals(asked, 2);
  await fleet.migrate({ ask: ask(false) });
  assertEquals(asked, 2);
});

Deno.test("an application is never asked, even at a terminal", async () => {
  await using doubles = clusters(["c1", "m1"]);
  await using fleet = await fleetOf(doubles, "confirm");
  const { runtime } = await fleet.options();
  const stdin = { ...runtime.stdin, isTerminal: true, readLine: () => Promise.resolve("y") };
  const atTerminal = { ...runtime, stdin, stderr: { ...runtime.stderr, isTerminal: true } };
  const reports = await fleet.migrate({ runtime: atTerminal });
  assertEquals(outcomesOf(reports), ["c1 migrated", "logs failed", "m1 not run"]);
  assertMatch(reports[1]!.error!.message, /run again to go on with the clusters without a group/);
  const again = await fleet.migrate({ runtime: atTerminal });
  assertEquals(outcomesOf(again), ["c1 unchanged", "logs failed", "m1 not run"]);
});

Deno.test("without a terminal no repetition answers, but '--only' with the clusters of the message does", async () => {
  await using doubles = clusters(["c1", "m1"]);
  await using fleet = await fleetOf(doubles, "confirm");
  for (const outcome of ["c1 migrated", "c1 unchanged", "c1 unchanged"]) {
    const reports = await fleet.migrate();
    assertEquals(outcomesOf(reports), [outcome, "logs failed", "m1 not run"]);
    assertMatch(
      reports[1]!.error!.message,
      /, at a terminal or with '--only m1 --connection logs'$/,
    );
  }
  assertEquals(outcomesOf(await fleet.migrate({ only: ["m1"] })), ["m1 migrated"]);
  assertEquals(outcomesOf(await fleet.migrate()), ["c1 unchanged", "m1 unchanged"]);
});

Deno.test("two runs at once both end behind the group", async () => {
  await using doubles = clusters(["c1", "m1"]);
  await using fleet = await fleetOf(doubles, "confirm");
  const reports = await Promise.all([fleet.migrate(), fleet.migrate()]);
  for (const [, ...rest] of reports.map(outcomesOf)) {
    assertEquals(rest, ["logs failed", "m1 not run"]);
  }
});

for (const [typed, code] of [["y\n", 0], ["n\n", 2]] as const) {
  Deno.test(`a real terminal is asked between two groups, and answers ${typed.trim()}`, async () => {
    await using doubles = clusters(["c1", "m1"]);
    await using fleet = await fleetOf(doubles, "confirm");
    const cli = fromFileUrl(new URL("../../../cli.ts", import.meta.url));
    const command = [Deno.execPath(), "run", "-A", "--no-check", cli, "migrate", "-m", "search"];
    const run = await onTerminal(command, { cwd: fleet.root, typed });
    assertEquals(run.code, code, run.shown);
    assertStringIncludes(run.shown, "Go on with the clusters without a group?");
    assertEquals(outcomesOf(await fleet.migrate({ only: ["m1"] })), [
      code === 0 ? "m1 unchanged" : "m1 migrated",
    ]);
  });
}

Deno.test("a pause is not waited for if no later group has files to apply", async () => {
  await using doubles = clusters(["c1", "m1", "z1"]);
  const of = (name: string, group?: string) => ({
    hosts: doubles[name]!.url,
    ...group && { group },
  });
  const own = { c1: of("c1", "canary"), m1: of("m1", "main"), z1: of("z1") };
  const each = { clusters: own, groups: ["canary", "main"], pause: 600 };
  await using fleet = await project({ each }, { "logs.c1/1-template.json": template("one") });
  assertEquals(outcomesOf(await fleet.migrate()), ["c1 migrated", "m1 unchanged", "z1 unchanged"]);
  assertEquals(notices(fleet), []);
  // The pause behind the group that is changed comes before the next one that has files to apply.
  await fleet.write({
    "logs.c1/2-template.json": template("two"),
    "logs.z1/1-template.json": template("one"),
  });
  const stop = new AbortController();
  const reports = await fleet.migrate({
    signal: stop.signal,
    onEvent: (event) => {
      fleet.events.push(event);
      if (event.type === "notice") stop.abort();
    },
  });
  assertEquals(outcomesOf(reports), ["c1 migrated", "m1 unchanged", "z1 not run"]);
  assertMatch(
    notices(fleet)[0]!,
    /^Waits \d+ s after the group 'main', before the clusters without/,
  );
});
