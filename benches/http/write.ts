import { fromFileUrl, join } from "@std/path";
import { run } from "../../tests/runtimes/executables.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));
const [START, END] = ["<!-- bench:http -->", "<!-- /bench:http -->"];

/** A page with another text between the markers. @throws {Error} without them */
export function withBlock(page: string, block: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) {
    throw new Error(`Cannot write the tables: expected ${START} and ${END}`);
  }
  return `${page.slice(0, start + START.length)}\n\n${block}\n\n${page.slice(end)}`;
}

/** A page whose rows of tables that end with the last cell of these are these. @throws {Error} without such rows */
export function withRows(page: string, rows: readonly (readonly string[])[]): string {
  const command = rows[0]?.at(-1) ?? "";
  const lines = page.split("\n");
  const isOne = (line: string) => line.split("|").at(-2)?.trim() === command;
  const start = lines.findIndex(isOne);
  if (start < 0) throw new Error(`Cannot write the rows: expected some that end with ${command}`);
  const others = lines.slice(start).filter((line) => !isOne(line));
  const texts = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [...lines.slice(0, start), ...texts, ...others].join("\n");
}

/** Writes the tables into `docs/benchmarks.md` and the rows into `docs/guide/compare.md`. */
export async function write(
  block: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const page = join(ROOT, "docs/benchmarks.md");
  const comparison = join(ROOT, "docs/guide/compare.md");
  await Deno.writeTextFile(page, withBlock(await Deno.readTextFile(page), block));
  await Deno.writeTextFile(comparison, withRows(await Deno.readTextFile(comparison), rows));
  await run([Deno.execPath(), "fmt", page, comparison], { cwd: ROOT });
}
