import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { walk } from "@std/fs/walk";
import { parse } from "@std/yaml";
import { join } from "@std/path";
import deno from "../../deno.json" with { type: "json" };
import { actionlint } from "./actionlint.ts";

const FOLDER = ".github/workflows";

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: unknown; readonly steps?: readonly Step[] }>
  >;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

Deno.test("workflows pass actionlint, which finds what is wrong", async () => {
  assertEquals(await actionlint(FOLDER), { ok: true, output: "" });
  const folder = await Deno.makeTempDir({ prefix: "irori-workflows-" });
  try {
    const text = await Deno.readTextFile(join(FOLDER, "test.yml"));
    await Deno.writeTextFile(join(folder, "test.yml"), text.replace("ubuntu-24.04", "ubuntu-1.04"));
    const { ok, output } = await actionlint(folder);
    assertEquals(ok, false);
    assertStringIncludes(output, 'label "ubuntu-1.04" is unknown');
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("jobs of workflows name their permissions, and actions are pinned by commit", async () => {
  let actions = 0;
  for await (const { path } of walk(FOLDER, { includeDirs: false })) {
    const text = await Deno.readTextFile(path);
    const { permissions, jobs } = parse(text) as Workflow;
    assertEquals(permissions, {}, path);
    for (const [name, job] of Object.entries(jobs)) {
      assert(job.permissions !== undefined, `${path}: '${name}' has no permissions`);
    }
    for (const [, used = ""] of text.matchAll(/\buses: (.*)/g)) {
      assertMatch(used, /^(?:\.\/\S+|[\w-]+\/[\w-]+@[\da-f]{40} # v[\d.]+)$/, path);
      actions++;
    }
  }
  assert(actions > 1, `${actions}`);
});

Deno.test("workflows run tasks that there are, by the Deno of the test command", async () => {
  const ci = await Deno.readTextFile(".ci/run");
  const [version] = /deno@[\d.]+/.exec(ci) ?? [];
  let tasks = 0;
  for await (const { path } of walk(FOLDER, { includeDirs: false })) {
    const { jobs } = parse(await Deno.readTextFile(path)) as Workflow;
    for (const { run = "" } of Object.values(jobs).flatMap(({ steps = [] }) => steps)) {
      for (const [whole, used, task = ""] of run.matchAll(/(deno@\S+)(?: task (\S+))?.*/g)) {
        assertEquals(used, version, path);
        assert(task in deno.tasks, `${path}: '${whole}' runs no task that there is`);
        tasks++;
      }
    }
  }
  assert(tasks > 1, `${tasks}`);
});
