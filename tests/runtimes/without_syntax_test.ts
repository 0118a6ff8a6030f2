/** The conformance suite on `decorate()` alone: on Node without a loader, and in bundles of tools that keep decorators. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path/posix";
import { rawConformance } from "../conformance/raw_runner.ts";
import { conformance } from "../conformance/runner.ts";
import { socketConformance } from "../conformance/socket.ts";
import { withoutSyntax } from "./_without_syntax.ts";
import { EXCEPTED } from "./excepted.ts";
import { type Command, node } from "./executables.ts";
import { APP, peers, Project, testsOn } from "./project.ts";
import { serving } from "./serving.ts";

const SERVER = `${APP}/conformance_server.ts`;

const test = testsOn(
  "decorate",
  Project.fromTarball("hono@4", "zod@4", "ws@8", ...peers("jose")).then(async (project) => {
    await project.addApplications((name) => join("irori", name), withoutSyntax);
    return project;
  }),
);

for (const major of [22, 24] as const) {
  test(`Node ${major} passes the conformance suite without a loader`, async (project) => {
    await check([...await node(major), project.file(SERVER)], project.path);
  });
}

/** The whole suite over a socket, byte for byte too, and WebSockets. */
async function check(command: Command, cwd: string): Promise<void> {
  await using server = await serving(command, cwd, 1);
  const [url = ""] = server.urls;
  const { hostname, port } = new URL(url);
  const outcomes = [...await conformance(url), ...await rawConformance(hostname, Number(port))];
  assert(outcomes.length > 400);
  const failed = outcomes.filter(({ name, failures }) =>
    failures.length > 0 && !EXCEPTED.Node!.includes(name)
  );
  assertEquals(failed, []);
  assertEquals(await socketConformance(url), []);
}
