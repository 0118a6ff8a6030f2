import { assertEquals } from "@std/assert";
import { join } from "@std/path";

const KIND = `import { namedKind } from "./named.ts";
import type { Kind } from "./types.ts";

export const QUERY_SETS: Kind = namedKind("_query_rules", "query set", "45-query-sets", (body) => body, {
  ending: "-query-set",
  members: { array: ["rules"] },
});
`;
const USE = `import { classify } from "./migrations/search/files/classify.ts";
import { resourceOf } from "./migrations/search/kinds/resource.ts";

const bytes = new TextEncoder().encode('{ "rules": [1] }');
const file = { path: "a/promos-query-set.json", location: "", hash: "", bytes };
const { kind, resource, request } = classify(file, "reapply");
console.log(JSON.stringify([kind, resource, request.path, resourceOf(request)?.key]));
`;

Deno.test("a kind of cluster file takes one new file and one line of another", async () => {
  const root = await Deno.makeTempDir({ prefix: "irori-kind-" });
  try {
    const copied = await new Deno.Command("cp", { args: ["-r", "src", "links", "deno.json", root] })
      .output();
    assertEquals(copied.success, true);
    const kinds = join(root, "src/migrations/search/kinds");
    await Deno.writeTextFile(join(kinds, "query_sets.ts"), KIND);
    const list = await Deno.readTextFile(join(kinds, "resource.ts"));
    const added = `import { QUERY_SETS } from "./query_sets.ts";\n` +
      list.replace("readonly Kind[] = [", "readonly Kind[] = [\n  QUERY_SETS,");
    await Deno.writeTextFile(join(kinds, "resource.ts"), added);
    await Deno.writeTextFile(join(root, "src/use.ts"), USE);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--check", "--quiet", join(root, "src/use.ts")],
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)), [
      ...["query-set", "promos", "/_query_rules/promos", "query set promos"],
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
