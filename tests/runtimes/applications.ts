import { walk } from "@std/fs/walk";
import { fromFileUrl, join, relative } from "@std/path";
import { APP, type Project } from "./project.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

/** The tests bundle these themselves: with an SDK, or with middleware of the benches. */
const BUNDLED = /(?:main|telemetry|settings|attacked|conforming|conformance_in|asked)\.ts$/;

/**
 * Puts the conformance application and the users example, whose users are in memory, into a project.
 *
 * @param library what they import in place of an export of this repository, such as `.` or `./openapi`
 * @param rewrite what becomes of each module, before that
 */
export async function addApplications(
  project: Project,
  library: (name: string) => string,
  rewrite = (text: string): string => text,
): Promise<void> {
  for (const folder of ["tests/conformance", APP, "examples/users"]) {
    for await (const { path } of walk(join(ROOT, folder), { includeDirs: false })) {
      const name = relative(ROOT, path);
      if (/_(?:test|runner)\.ts$|\.(?:md|sql|db)$/.test(name) || BUNDLED.test(name)) continue;
      const source = name.endsWith("/repositories/user_repository.ts")
        ? join(ROOT, APP, "user_repository.ts") // As deep in its tree as the one of the example.
        : path;
      const read = await Deno.readTextFile(source);
      const text = name.endsWith(".ts") ? rewrite(read) : read;
      await project.write(
        name,
        text.replace(
          /"(?:(?:\.\.\/)+mod\.ts|@irori\/irori(\/\w+)?)"/g,
          (_, name: string = "") => `"${library(`.${name}`)}"`,
        ),
      );
    }
  }
}
