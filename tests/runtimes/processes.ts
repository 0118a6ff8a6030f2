import { Running } from "../app/process.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { APP, Project } from "./project.ts";

/** Declares a case that has a process of the application of its own. */
export type ProcessCase = (
  title: string,
  run: (running: Running, url: string) => Promise<void>,
  env?: Record<string, string>,
) => void;

/** The command that runs an application as a process. */
const RUNTIMES: Readonly<Record<string, () => Command | Promise<Command>>> = {
  Deno: () => DENO,
  "Node 22": () => node(22),
  "Node 24": () => node(24),
  Bun: bun,
};

/**
 * Declares cases for each runtime, on an application that is built once against what a user gets from npm.
 *
 * @param entry the name of a module of `app`, which prints `url <url>` as soon as it listens
 * @returns where it is built
 */
export function onEachRuntime(
  entry: string,
  declare: (test: ProcessCase, runtime: string) => void,
): Promise<Project> {
  const project = Project.equipped().then(async (made) => {
    await made.addBundle(`${APP}/${entry}.ts`, `${entry}.mjs`);
    return made;
  });
  Deno.test.afterAll(async () => {
    await (await project)[Symbol.asyncDispose]();
  });
  for (const [runtime, command] of Object.entries(RUNTIMES)) {
    declare((title, run, env = {}) =>
      Deno.test({
        name: `${runtime} + ${title}`,
        // A build is shared, so it outlives the test that asked for it first.
        sanitizeOps: false,
        sanitizeResources: false,
        async fn() {
          const script = (await project).file(`${entry}.mjs`);
          await using running = new Running([...await command(), script], env);
          const [, url = ""] = await running.line(/^url (\S+)$/);
          await run(running, url);
        },
      }), runtime);
  }
  return project;
}
