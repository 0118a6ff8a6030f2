/** The conformance suite on `decorate()` alone, on Node without a loader. */
import { assertEquals } from "@std/assert";
import { withoutSyntax } from "./_without_syntax.ts";
import { checkConformance, conformanceProject, SERVER } from "./conformance_project.ts";
import { node, run } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { testsOn } from "./project.ts";

const test = testsOn("decorate", conformanceProject(withoutSyntax));

for (const major of [22, 24] as const) {
  test(`passes the conformance suite without a loader: Node ${major}`, async (project) => {
    await checkConformance([...await node(major), project.file(SERVER)], project.path);
  });

  test(`the guide's example runs without a loader: Node ${major}`, async (project) => {
    await takeGuide("without-decorator-syntax.md", project);
    const printed = await run([...await node(major), "main.ts"], { cwd: project.path });
    assertEquals(printed, "{ id: 7, name: 'Ada' }\n");
  });
}
