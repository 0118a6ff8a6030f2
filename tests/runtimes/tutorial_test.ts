/** The tutorial, followed from its first step to its last as a newcomer does, with what npm packs. */
import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { stepsOf } from "../docs/steps.ts";
import { packedCreate } from "./created.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { Reader } from "./reader.ts";

const packed = packedCreate();
Deno.test.afterAll(async () => await (await packed).project[Symbol.asyncDispose]());

/** Tests have no Docker: create_test.ts runs what the image runs. */
const NOT_RUN = /^docker build /;
/** How the registries run `create-irori`: with the name of the folder, and with options. */
const CREATE =
  /^(?:npm create irori (\S+) --|deno create jsr:@irori\/irori -- (\S+)|bunx --bun create-irori (\S+)) (.*)$/m;

interface Runtime {
  readonly tab: string;
  readonly command: () => Command | Promise<Command>;
  readonly env?: Readonly<Record<string, string>>;
}

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  // The output in a terminal, which the page shows, differs from that in a pipe.
  "Node 22": {
    tab: "Node",
    command: () => node(22),
    env: { NODE_OPTIONS: "--test-reporter=spec" },
  },
  Bun: { tab: "Bun", command: bun },
  Deno: { tab: "Deno", command: () => DENO },
};

for (const [title, { tab, command, env }] of Object.entries(RUNTIMES)) {
  Deno.test({
    name: `docs/guide/tutorial.md + its files, commands and outputs are true: ${title}`,
    // A package is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const { project, library, script } = await packed;
      const [executable = "", ...args] = await command();
      const folder = project.file(tab);
      await Deno.mkdir(folder);
      const quiet = { npm_config_prefer_offline: "true", npm_config_audit: "false" };
      await using reader = new Reader(folder, dirname(executable), { ...quiet, ...env });
      const steps = stepsOf("tutorial.md", tab);
      const [create, ...others] = steps.filter(({ code }) => !NOT_RUN.test(code));
      assertEquals(steps.length - others.length, 2);
      const fromTarball = `${[executable, ...args, script].join(" ")} $1$2$3 $4 --from ${library}`;
      const code = create!.code.replace(CREATE, fromTarball)
        // Deno takes no package from a file: npm installs it.
        .replace(/^(cd .*\n)(?=deno)/m, "$1npm install\n");
      await reader.follow({ ...create!, code });
      for (const step of others) await reader.follow(step);
    },
  });
}
