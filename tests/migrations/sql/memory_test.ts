/** A file of 50 MB is applied within 250 MB: the memory of a whole process, at its most. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";

const SIZE = 50_000_000;
const MOST_MB = 250;
/** In MB. `node:sqlite` alone needs 200 MB for one statement of that size, in a program without anything else. */
const MOST_IN_ONE_MB = 300;
const CHILD = fromFileUrl(import.meta.resolve("./memory_child.ts"));
const isLinux = Deno.build.os === "linux";

interface Outcome {
  readonly peakMb: number;
  readonly outcome: string;
  readonly error?: { readonly message: string; readonly line: number; readonly column: number };
}

const VALUE = "x".repeat(470);
const row = (id: number) => `(${id}, '${VALUE}')`;
/** A file that makes a table and fills it, written to a folder as the command line takes it. */
const FILES = {
  "many statements": (id: number) => `INSERT INTO big VALUES ${row(id)};\n`,
  "one statement": (id: number) => id === 0 ? `INSERT INTO big VALUES ${row(id)}` : `,\n${row(id)}`,
};

async function apply(
  url: string,
  lineOf: (id: number) => string,
  end = ";\n",
): Promise<Outcome & { readonly rows: number }> {
  const folder = await Deno.makeTempDir({ prefix: "irori-memory-" });
  try {
    await Deno.mkdir(`${folder}/main`);
    const file = await Deno.open(`${folder}/main/1.sql`, { write: true, create: true });
    const writer = file.writable.getWriter();
    const encoder = new TextEncoder();
    await writer.write(encoder.encode("CREATE TABLE big (id INT, v TEXT);\n"));
    let rows = 0;
    for (let size = 0; size < SIZE;) {
      let text = "";
      while (text.length < 1 << 20) text += lineOf(rows++);
      size += text.length;
      await writer.write(encoder.encode(text));
    }
    await writer.write(encoder.encode(end));
    await writer.close();
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", CHILD, url, folder],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert(text !== "", new TextDecoder().decode(stderr));
    return { ...JSON.parse(text), rows };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const SUBJECTS = [
  {
    name: "SQLite",
    ignore: false,
    url: ({ database }: Datasource) => `sqlite:${database}`,
    ...sqlite,
  },
  {
    name: "PostgreSQL",
    ignore: postgresql.postgresqlMissing !== undefined,
    url: ({ host, port, username, password, database }: Datasource) =>
      `postgres://${username}:${password?.reveal()}@${host}:${port}/${database}`,
    ...postgresql,
  },
];

for (const { name, ignore, url, create, cleanUp, query } of SUBJECTS) {
  const test = (what: string, body: (datasource: Datasource) => Promise<void>) =>
    Deno.test({
      name: `${name} applies a file of 50 MB in little memory: ${what}`,
      ignore: ignore || !isLinux,
      fn: async () => {
        try {
          await body(await create());
        } finally {
          await cleanUp();
        }
      },
    });

  for (const [what, lineOf] of Object.entries(FILES)) {
    test(what, async (datasource) => {
      const { peakMb, outcome, error, rows } = await apply(url(datasource), lineOf);
      assertEquals([outcome, error], ["applied", undefined]);
      const [row] = await query(datasource, "SELECT count(*) AS n FROM big");
      assertEquals(Number(row?.n), rows);
      const isInOne = name === "SQLite" && what === "one statement";
      console.log(name, peakMb);
      assert(peakMb <= (isInOne ? MOST_IN_ONE_MB : MOST_MB), `${peakMb} MB`);
    });
  }

  test("one that fails near its end, with line and column", async (datasource) => {
    const end = "  INSERT INTO nowhere VALUES (1);\n";
    const { peakMb, outcome, error, rows } = await apply(
      url(datasource),
      FILES["many statements"],
      end,
    );
    assertEquals([outcome, error?.line], ["failed", rows + 2]);
    if (name === "PostgreSQL") assertEquals(error?.column, 15);
    console.log(name, peakMb);
    assert(peakMb <= MOST_MB, `${peakMb} MB`);
  });
}
