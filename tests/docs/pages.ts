import { walk } from "@std/fs/walk";
import { type Block, blocksOf } from "../../tools/docs/blocks.ts";
import { WITH_CODE } from "../../tools/docs/pages.ts";

/** The blocks of all pages whose code is run, or looked at. */
export async function blocksOfPages(): Promise<readonly Block[]> {
  const pages = (await Promise.all(WITH_CODE.map(pagesOf))).flat();
  return pages.flatMap((page) => blocksOf(Deno.readTextFileSync(page), page));
}

async function pagesOf(path: string): Promise<readonly string[]> {
  if (path.endsWith(".md")) return [path];
  const pages: string[] = [];
  for await (const page of walk(path, { includeDirs: false })) pages.push(page.path);
  return pages.sort();
}
