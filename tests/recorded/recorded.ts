const FOLDER = new URL("./", import.meta.url);

/**
 * The text of a file in this folder.
 *
 * @param found what it becomes with `UPDATE=1`, for a change of the public behaviour that is wanted
 */
export async function recorded(name: string, found?: string): Promise<string> {
  const file = new URL(name, FOLDER);
  const isUpdate = Deno.env.get("UPDATE") === "1" && found !== undefined;
  if (isUpdate) await Deno.writeTextFile(file, found);
  return await Deno.readTextFile(file);
}
