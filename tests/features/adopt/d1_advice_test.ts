/** Databases that wrangler has migrated, and whether its user comes to no harm by following the advice of `adopt`. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { project } from "../../migrations/sql/d1/project.ts";

const TREE = {
  "migrations/1_a.sql": "CREATE TABLE a (n INTEGER);\nINSERT INTO a VALUES (1);\n",
  "migrations/10_b.sql": "INSERT INTO a VALUES (10);\n",
  "migrations/2_c.sql": "INSERT INTO a VALUES (2);\n",
};
const ROWS = [{ n: 1 }, { n: 2 }, { n: 10 }];

for (const before of [true, false]) {
  Deno.test(`adopt + files with zeros added ${before ? "before" : "after"} it are not applied again`, async () => {
    await using space = await project(TREE);
    assertEquals((await space.wrangler("migrations", "apply", "DB", "--local")).code, 0);
    const dry = await space.run("adopt", "--dry-run");
    assertMatch(dry.stderr, /10_b\.sql: .*with leading zeros, before they are recorded/);
    if (!before) {
      const { stderr } = await space.run("adopt");
      assertMatch(stderr, /10_b\.sql: .*with leading zeros, and run 'adopt' again/);
      assert(!stderr.includes("before they are recorded"), stderr);
    }
    for (const number of [1, 2]) {
      const [path = ""] = Object.keys(TREE).filter((path) => path.includes(`/${number}_`));
      await space.write(
        path.replace(`/${number}_`, `/0${number}_`),
        TREE[path as keyof typeof TREE],
      );
      await space.remove(path);
    }
    const adopted = await space.run("adopt");
    assertEquals(adopted.code, 0, adopted.stderr);
    assertMatch(adopted.stdout, /1_a\.sql {2}= 01_a\.sql/);
    assert(!adopted.stderr.includes("leading zeros"), adopted.stderr);
    const { code, stdout, stderr } = await space.run("migrate");
    assertEquals(code, 0, stdout + stderr);
    assertEquals(space.query("SELECT n FROM a ORDER BY n"), ROWS);
    assertEquals((await space.run("status", "--check")).code, 0);
  });
}
