import { AssertionError } from "@std/assert";

const FOLDER = new URL("./", import.meta.url);

/** The text of a file in this folder. */
export async function recorded(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, FOLDER));
}

/** @throws {AssertionError} with the first line that differs; `UPDATE=1` records what was found */
export async function assertRecorded(name: string, found: string): Promise<void> {
  if (Deno.env.get("UPDATE") === "1") await Deno.writeTextFile(new URL(name, FOLDER), found);
  const [wanted, lines] = [await recorded(name), found].map((text) => text.split("\n"));
  const line = lines!.findIndex((text, index) => text !== wanted![index]);
  if (line < 0 && lines!.length === wanted!.length) return;
  const at = line < 0 ? lines!.length : line;
  throw new AssertionError(
    `tests/recorded/${name}, line ${at + 1}: expected '${wanted![at]}', found '${lines![at]}'. ` +
      "If the change is wanted, run the test with UPDATE=1 and look at what it writes",
  );
}
