const FOLDER = new URL("./", import.meta.url);

/**
 * The text of a file in this folder. With `UPDATE=1` it becomes what was found: for a change of the public behaviour that
 * is wanted.
 */
export async function recorded(name: string, found: string): Promise<string> {
  const file = new URL(name, FOLDER);
  if (Deno.env.get("UPDATE") === "1") await Deno.writeTextFile(file, found);
  return await Deno.readTextFile(file);
}
