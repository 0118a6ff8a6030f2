import { dirname, fromFileUrl, join } from "@std/path";
import type { Program } from "./compare.ts";

/** Ours on Deno and in one executable, on files of one kind. */
export function ours(
  kind: "search" | "sql",
  executable: string,
  connection: (url: string) => Readonly<Record<string, unknown>>,
  file: Program["file"],
): readonly Program[] {
  const rest: Omit<Program, "name" | "command"> = {
    file,
    async prepare(url, folder) {
      const enabled = { name: "main", ...connection(url), migrations: { enabled: true } };
      const config = { [kind === "sql" ? "datasource" : "search"]: [enabled] };
      await Deno.mkdir(configOf(folder));
      await Deno.writeTextFile(join(configOf(folder), "application.yml"), JSON.stringify(config));
    },
  };
  const args = (
    folder: string,
  ) => ["-c", configOf(folder), "--sqlPath", dirname(folder), "-m", kind];
  const deno = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", CLI];
  return [
    { name: "irori", ...rest, command: (_, folder) => [executable, ...args(folder)] },
    { name: "irori on Deno", ...rest, command: (_, folder) => [...deno, ...args(folder)] },
  ];
}

const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));

function configOf(folder: string): string {
  return join(dirname(folder), "config");
}
