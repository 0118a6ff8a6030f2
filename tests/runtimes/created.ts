import { npmInstall } from "../../tools/_npm.ts";
import { buildCreate } from "../../tools/build_create.ts";
import { packLibrary, Project } from "./project.ts";

/** A folder with the packed library, and `create-irori` as npm installs it. */
export async function packedCreate() {
  const project = await Project.empty();
  const library = await packLibrary(project.path);
  await npmInstall(project.file("npx"), [await buildCreate(project.path)]);
  return { project, library, script: project.file("npx/node_modules/create-irori/create.js") };
}
