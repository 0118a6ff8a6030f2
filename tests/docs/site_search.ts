import MiniSearch from "minisearch";
import { join, toFileUrl } from "@std/path";
import { MINI_SEARCH, type Section } from "../../docs/.vitepress/search.ts";

/** The search of a built site: the sections of pages that are found, best first, as `/guide/errors.html#anchor`. */
export async function searchOf(folder: string): Promise<(words: string) => readonly string[]> {
  const chunks = join(folder, "assets/chunks");
  const name = Array.from(Deno.readDirSync(chunks), ({ name }) => name)
    .find((name) => name.startsWith("@localSearchIndexroot"));
  if (name === undefined) throw new Error(`'${chunks}' has no index of the search`);
  const { default: json } = await import(toFileUrl(join(chunks, name)).href);
  const index = MiniSearch.loadJSON<Section>(json, {
    ...MINI_SEARCH.options,
    searchOptions: MINI_SEARCH.searchOptions,
  });
  return (words) => index.search(words).map(({ id }) => id);
}
