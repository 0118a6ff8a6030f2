import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { variantsOf } from "../../docs/.vitepress/runtimes.ts";
import { type Block, blocksOf } from "../../tools/docs/blocks.ts";

/** How a page is followed. */
export interface Reader {
  /** Whose tab of a block is taken. */
  readonly runtime: "Node" | "Deno" | "Bun";
  /** An empty folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the test has in place of a text of the page: servers, names, the packed package. */
  readonly replaced: readonly (readonly [page: string, test: string])[];
}

/** The first line of a block that names its file. */
const NAME = /^(?:\/\/|#|--) (\S+\.\w+)\n/;
/** A line that names the file of the block below it, for formats without comments. */
const NAME_ABOVE = /^`(\S+\.\w+)`:\n\n$/m;

/**
 * Follows a page as its reader does: writes each block that names its file, runs each `sh` block, and compares a `text`
 * block with all that the `sh` block above it has printed, where `…` stands for any text of a line, and a line of `…` for
 * any lines. `console` blocks are for readers alone.
 *
 * @throws {AssertionError} if a command fails or prints anything else
 */
export async function follow(page: string, reader: Reader): Promise<void> {
  const text = await Deno.readTextFile(page);
  const change = (text: string) =>
    reader.replaced.reduce((text, [page, test]) => text.replaceAll(page, test), text);
  const restore = (text: string) =>
    reader.replaced.reduceRight((text, [page, test]) => text.replaceAll(test, page), text);
  let at = reader.folder;
  let printed: string | undefined;
  for (const block of blocksOf(text, page)) {
    const { place, language, code } = block;
    if (language === "console") continue;
    if (language === "text") {
      const shown = restore(printed ?? "").trim();
      if (!patternOf(code.trim()).test(shown)) assertEquals(shown, code.trim(), place);
      continue;
    }
    if (language === "sh") {
      const variant = variantsOf("sh", code).find(({ runtime }) => runtime === reader.runtime);
      printed = await run(change(variant?.code ?? code), place, reader);
      at = (await Deno.readTextFile(join(reader.folder, ".at"))).trim();
      continue;
    }
    const { name, contents } = fileOf(block, text);
    const path = join(at, change(name));
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, change(contents));
  }
}

/** A text in which `…` stands for any text of a line, and a line of `…` for any lines. */
export function patternOf(shown: string): RegExp {
  const lines = shown.split("\n").map((line) =>
    line === "…" ? "(?:.*\\n)*?" : line.split("…").map(RegExp.escape).join(".*") + "(?:\\n|$)"
  );
  return new RegExp(`^${lines.join("")}$`);
}

function fileOf({ place, code }: Block, page: string): { name: string; contents: string } {
  const [line, named] = NAME.exec(code) ?? [];
  if (line !== undefined && named !== undefined) {
    return { name: named, contents: code.slice(line.length) };
  }
  const lines = page.split("\n").slice(0, Number(place.split(":").at(-1)) - 2);
  const [, above] = NAME_ABOVE.exec(lines.slice(-2).join("\n") + "\n") ?? [];
  if (above === undefined) throw new Error(`${place} is no command and names no file`);
  return { name: above, contents: code };
}

/** npm asks the registry only for what it does not have. */
const QUICK = {
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/** Runs commands in the folder and with the variables that the ones before have left. */
async function run(commands: string, place: string, { folder, env }: Reader): Promise<string> {
  const [at, variables] = [join(folder, ".at"), join(folder, ".variables")];
  const script = `[ -e "${at}" ] && cd "$(cat "${at}")" && . "${variables}"
exec 2>&1
set -eo pipefail
${commands}
pwd > "${at}"
export -p > "${variables}"
`;
  const { code, stdout } = await new Deno.Command("bash", {
    args: ["-c", script],
    cwd: folder,
    env: { NO_COLOR: "1", ...QUICK, ...env },
    stdin: "null",
    signal: AbortSignal.timeout(180_000),
  }).output();
  const printed = new TextDecoder().decode(stdout);
  assertEquals(code, 0, `${place}\n${printed}`);
  return printed;
}
