import { fromFileUrl } from "@std/path";
import type { Project } from "./project.ts";

const GUIDE = fromFileUrl(new URL("../../docs/guide/", import.meta.url));
/** A block that names its file in its first line. */
const FILE = /^```(?:ts ignore|yaml|sql)\n(?:\/\/|#|--) (\S+\.\w+)\n([^]*?)^```$/gm;

/**
 * Writes the files of a page of the guide into a project, as their blocks have them but for the name of the library,
 * which is npm's.
 *
 * @returns the page's text
 */
export async function takeGuide(page: string, project: Project): Promise<string> {
  const text = await Deno.readTextFile(GUIDE + page);
  for (const [, name = "", content = ""] of text.matchAll(FILE)) {
    await project.write(name, content.replaceAll('"@irori/irori', '"irori'));
  }
  return text;
}
