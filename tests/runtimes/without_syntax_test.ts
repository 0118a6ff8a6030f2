/** The conformance suite on `decorate()` alone, on Node without a loader. */
import { withoutSyntax } from "./_without_syntax.ts";
import { checkConformance, conformanceProject, SERVER } from "./conformance_project.ts";
import { node } from "./executables.ts";
import { testsOn } from "./project.ts";

const test = testsOn("decorate", conformanceProject(withoutSyntax));

for (const major of [22, 24] as const) {
  test(`passes the conformance suite without a loader: Node ${major}`, async (project) => {
    await checkConformance([...await node(major), project.file(SERVER)], project.path);
  });
}
