import { byVersion, versionIn } from "../../../runner/mod.ts";
import { byNumberIn, execution, pathEnding, text, type Tool } from "../../foreign/tool.ts";

/** wrangler: a row is the path of a file below `migrations_dir`; files are in the order of the numbers that they begin with. */
export const WRANGLER: Tool = {
  id: "wrangler",
  name: "wrangler",
  tables: ["d1_migrations"],
  columns: ["name", "applied_at"],
  more: ["id"],
  isHistory: (rows) => rows.every(({ name }) => /\.sql$/i.test(`${name}`)),
  match(rows, paths) {
    return {
      rows: rows.toSorted(byNumberIn("id")).map(({ name: recorded, applied_at: at }) => {
        const name = text(recorded) ?? "";
        const path = pathEnding(name, paths);
        return { name, ...(path !== undefined && { path }), ...execution("wrangler", at) };
      }),
      // wrangler applies the files of one folder, unless its 'migrations_pattern' says otherwise.
      omitted: rows.some(({ name }) => `${name}`.includes("/"))
        ? []
        : paths.filter((path) => path.includes("/")),
      order: byVersion(paths, (path) => versionIn(path, /^(\d+)/)),
    };
  },
};
