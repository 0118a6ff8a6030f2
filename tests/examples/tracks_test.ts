import { assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { followOnEachRuntime } from "./on_each_runtime.ts";

followOnEachRuntime("tracks", {
  async answers(printed, { path }) {
    const { size } = await Deno.stat(join(path, "README.md"));
    assertStringIncludes(printed, '{"key":"TRA","name":"Tracks","createdAt":"20');
    assertStringIncludes(
      printed,
      '"number":1,"title":"Too slow","description":"","status":"open"',
    );
    assertStringIncludes(printed, `"name":"README.md","size":${size},"author":"ada"}]`);
    assertMatch(printed, /number,title,status,author,created\r\n1,Too slow,open,ada,\S+\r\n/);
    assertStringIncludes(printed, '{"open":1,"closed":0}');
  },
  tested(printed) {
    assertStringIncludes(printed, "who may do what, with a database");
  },
});
