import { assertEquals, AssertionError } from "@std/assert";
import { variantsOf } from "../../docs/.vitepress/runtimes.ts";
import { type Block, blocksOf } from "../../tools/docs/blocks.ts";
import { NAME } from "../runtimes/guide.ts";

/** One action of a page's reader. */
export interface Step {
  readonly place: string;
  /** The file to write, in which `…` stands for a part of its name; absent for commands. */
  readonly file?: string;
  /** The text of the file, or the commands. */
  readonly code: string;
  /** The output of the commands as the page shows it. */
  readonly output?: Block;
}

const OUTPUTS = ["text", "json", "http"];

/**
 * The steps of a page whose blocks are files, commands, or what the commands before them print. A block of text that names
 * another runtime is left out, and so is `console`, which no test runs.
 *
 * @param runtime the name of the tab that the reader looks at
 */
export function stepsOf(page: string, runtime: string): readonly Step[] {
  const path = `docs/guide/${page}`;
  const blocks = blocksOf(Deno.readTextFileSync(path), path)
    .filter((block) => block.runtime === undefined || block.runtime === runtime)
    .filter(({ language }) => language !== "console");
  return blocks.flatMap((block, index): Step[] => {
    const { place, language } = block;
    const variant = variantsOf(language, block.code).find((one) => one.runtime === runtime);
    const code = variant?.code ?? block.code;
    if (language === "sh") {
      const next = blocks[index + 1];
      return [{ place, code, ...(next && OUTPUTS.includes(next.language) && { output: next }) }];
    }
    if (OUTPUTS.includes(language) && blocks[index - 1]?.language === "sh") return [];
    const [, file] = NAME.exec(code) ?? [];
    if (file === undefined) throw new AssertionError(`${place} is no file, command or output`);
    return [{ place, file, code }];
  });
}

/**
 * Compares what was printed with what a page shows: `…` in a line stands for any text, a line of `…` for any lines, `"…"`
 * in JSON for any value. `http` shows the status, those headers that matter, and a body of JSON.
 */
export function assertShown({ place, language, code }: Block, printed: string): void {
  if (language === "text") {
    const trimmed = printed.replace(/[ \t]+$/gm, "").trim();
    if (!isTextShown(code.trim(), trimmed)) assertEquals(trimmed, code.trim(), place);
    return;
  }
  const shown = language === "http" ? parseMessage(code) : { body: code };
  const actual = language === "http" ? parseMessage(printed) : { body: printed };
  const headers = Object.keys(shown.headers ?? {});
  assertEquals(
    {
      ...actual,
      ...(actual.headers && {
        headers: Object.fromEntries(headers.map((name) => [name, actual.headers?.[name]])),
      }),
      body: masked(JSON.parse(actual.body), JSON.parse(shown.body)),
    },
    { ...shown, body: JSON.parse(shown.body) },
    place,
  );
}

/** A line, or another text, in which `…` stands for any characters of a line. */
export function patternOf(shown: string): RegExp {
  return RegExp(`^${shown.split("…").map(RegExp.escape).join(".*")}$`);
}

function isTextShown(shown: string, printed: string): boolean {
  const lines = shown.split("\n").map((line) =>
    line === "…" ? "(?:.*\\n)*" : `${patternOf(line).source.slice(1, -1)}\\n`
  );
  return RegExp(`^${lines.join("")}$`).test(`${printed}\n`);
}

interface Parts {
  readonly status?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

function parseMessage(message: string): Parts {
  const [head = "", ...rest] = message.replaceAll("\r\n", "\n").split("\n\n");
  const [status = "", ...lines] = head.split("\n");
  const headers = lines.map((line) => {
    const [, name = "", value = ""] = /^(.*?): *(.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return { status, headers: Object.fromEntries(headers), body: rest.join("\n\n") };
}

/** A value in which the parts that the page shows as `"…"` are this text. */
function masked(value: unknown, shown: unknown): unknown {
  if (shown === "…" && value !== undefined) return shown;
  if (Array.isArray(value) && Array.isArray(shown)) {
    return value.map((item, index) => masked(item, shown[index]));
  }
  if (!isObject(value) || !isObject(shown)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, masked(item, shown[key])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
