import { FileNotFoundError, type Runtime } from "../runtime/mod.ts";

/** How a file that is to be written compares with what is there; `differs`: it has other content. */
export type FileState = "new" | "unchanged" | "differs";

/** @param location absolute path */
export async function fileStateOf(
  location: string,
  text: string,
  { files }: Pick<Runtime, "files">,
): Promise<FileState> {
  try {
    return await files.readTextFile(location) === text ? "unchanged" : "differs";
  } catch (error) {
    if (error instanceof FileNotFoundError) return "new";
    throw error;
  }
}
