/** Tables of configuration keys in the guide, and the key that those of a page are below. */
const PAGES: Readonly<Record<string, string>> = {
  "configuration.md": "",
  "search-migrations.md": "search.",
  "sql-migrations.md": "datasource.",
  "tenants.md": "datasource.migrations.each.",
  "fleets.md": "search.migrations.each.",
};

/** The entry of the guide for each key of the configuration: a sentence, and its default. */
export async function keysOfGuide(folder = "docs/guide"): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [page, prefix] of Object.entries(PAGES)) {
    const text = await Deno.readTextFile(`${folder}/${page}`);
    const [, table = ""] = /^\| key +\| meaning +\| default +\|\n\|[-| ]+\|\n((?:\|.*\n)+)/m
      .exec(text) ?? [];
    for (const row of table.trim().split("\n")) {
      const [keys = "", meaning = "", fallback = ""] = row.split(/(?<!\\)\|/).slice(1)
        .map((cell) => plain(cell.trim()));
      for (const key of keys.split(", ")) {
        const rest = fallback === "" || fallback === "required" ? "" : ` (default: ${fallback})`;
        found.set(`${prefix}${key}`, `${meaning}${rest}`);
      }
    }
  }
  return found;
}

/** Without links and code marks. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}
