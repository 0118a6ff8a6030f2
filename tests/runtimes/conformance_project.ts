import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path/posix";
import { rawConformance } from "../conformance/raw_runner.ts";
import { conformance } from "../conformance/runner.ts";
import { socketConformance } from "../conformance/socket.ts";
import { unansweredCloseFrames } from "./close_frames.ts";
import { EXCEPTED } from "./excepted.ts";
import type { Command } from "./executables.ts";
import { addApplications } from "./applications.ts";
import { APP, Project } from "./project.ts";
import { serving } from "./serving.ts";

/** The module that serves the conformance application. */
export const SERVER = `${APP}/conformance_server.ts`;

/** The conformance application with what it needs from npm. @param rewrite what becomes of each module before */
export async function conformanceProject(rewrite?: (text: string) => string): Promise<Project> {
  const project = await Project.equipped();
  await addApplications(project, (name) => join("irori", name), rewrite);
  return project;
}

/** Runs the whole suite over a socket, byte for byte too, and WebSockets, against a process on Node. */
export async function checkConformance(command: Command, cwd: string): Promise<void> {
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
  assertEquals(await unansweredCloseFrames(url), []);
}
