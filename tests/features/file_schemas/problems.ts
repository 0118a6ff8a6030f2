import { assertEquals } from "@std/assert";
import { type FileProblem, InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import type { Placeholders } from "../../../src/migrations/search/types.ts";
import schema from "../../../schemas/search.schema.json" with { type: "json" };
import { loadedFile } from "../../migrations/runner/memory.ts";

/** What `validate` says of one file. */
export async function problemsOf(
  path: string,
  text: string | Uint8Array,
  placeholders: Placeholders = {},
): Promise<readonly FileProblem[]> {
  const { classify, compare } = classifierOf({ name: "logs", placeholders });
  const file = await loadedFile(path, text);
  try {
    classify(file);
  } catch (error) {
    if (error instanceof InvalidFilesError) return error.problems;
    throw error;
  }
  return await compare!(file, schema.definitions);
}

/** Asserts that the schemas find nothing in a file, whatever else may be wrong with it. */
export async function assertFits(path: string, text: string): Promise<void> {
  const { compare } = classifierOf({ name: "logs" });
  const found = await compare!(await loadedFile(path, text), schema.definitions);
  assertEquals(found.map(({ message }) => message), [], `${path}: ${text}`);
}
