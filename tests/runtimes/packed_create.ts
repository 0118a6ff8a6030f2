import { npmInstall } from "../../tools/_npm.ts";
import { buildCreate } from "../../tools/build_create.ts";
import { packLibrary, Project } from "./project.ts";

/** What a newcomer gets from npm. */
export interface Packed {
  /** The folder that has both, gone after the tests of the file. */
  readonly project: Project;
  /** The tarball of the library. */
  readonly library: string;
  /** The script of `create-irori`, as npm installs it. */
  readonly script: string;
}

/** Packs the library and `create-irori`, for the tests of a file. */
export function packedCreate(): Promise<Packed> {
  const packed = Project.empty().then(async (project) => {
    const library = await packLibrary(project.path);
    await npmInstall(project.file("npx"), [await buildCreate(project.path)]);
    return { project, library, script: project.file("npx/node_modules/create-irori/create.js") };
  });
  Deno.test.afterAll(async () => await (await packed).project[Symbol.asyncDispose]());
  return packed;
}
