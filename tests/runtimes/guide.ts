import { assert } from "@std/assert";
import { type Block, blocksOf } from "../../tools/docs/blocks.ts";
import type { Project } from "./project.ts";

/** The first line of a block that names its file. */
export const NAME: RegExp = /^(?:\/\/|#|--) (\S+\.\w+)\n/;

/**
 * Writes the files of a page of the guide into a project, as their blocks have them but for the name of the library,
 * which is npm's.
 *
 * @returns the page's text
 */
export async function takeGuide(page: string, project: Project): Promise<string> {
  for (const { code } of filesOf(page)) {
    const [line, name = ""] = NAME.exec(code) ?? [];
    await project.write(name, ofNpm(code.slice(line?.length)));
  }
  return readPage(page);
}

/** The only block of a page that no doc test runs and that has this text in it. */
export function fragmentOf(page: string, text: string): string {
  return fragment(page, text).code;
}

/** Code that imports the library by its name on npm. */
export function ofNpm(code: string): string {
  return code.replaceAll('"@irori/irori', '"irori');
}

/** A call of these, in the source of a test. */
const CALL =
  /\b(?:(?:takeGuide|stepsOf)\("([^"]+)", \w+\)|fragmentOf\(\s*"([^"]+)",\s*("(?:[^"\\]|\\.)+"),?\s*\))/g;

/** The blocks that a source of tests takes: by {@linkcode takeGuide}, `stepsOf` and {@linkcode fragmentOf}. */
export function takenBy(source: string): readonly Block[] {
  return [...source.matchAll(CALL)].flatMap(([, whole, page = "", text = ""]) =>
    whole === undefined ? [fragment(page, JSON.parse(text))] : filesOf(whole)
  );
}

function filesOf(page: string): readonly Block[] {
  return blocksOn(page).filter(({ language, isIgnored, code }) =>
    (language === "ts" ? isIgnored : /^(?:yaml|sql)$/.test(language)) && NAME.test(code)
  );
}

function fragment(page: string, text: string): Block {
  const found = blocksOn(page).filter(({ isIgnored, code }) => isIgnored && code.includes(text));
  const [only] = found;
  assert(only && found.length === 1, `${page} has ${found.length} blocks with '${text}'`);
  return only;
}

function blocksOn(page: string): readonly Block[] {
  return blocksOf(readPage(page), `docs/guide/${page}`);
}

function readPage(page: string): string {
  return Deno.readTextFileSync(`docs/guide/${page}`);
}
