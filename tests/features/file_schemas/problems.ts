import { assertEquals } from "@std/assert";
import search from "../../../schemas/search.schema.json" with { type: "json" };
import { schemaWarnings } from "../../../src/features/file_schemas/misfits.ts";
import { type FileProblem, InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import { JsonFile } from "../../../src/migrations/search/files/json_file.ts";
import type { Placeholders } from "../../../src/migrations/search/files/placeholders.ts";
import { loadedFile } from "../../migrations/runner/memory.ts";
import { connectionTo, targetOf } from "../../migrations/search/runner.ts";
import { FEATURES } from "../all.ts";

/** The problems that `validate` prints for one file. */
export async function problemsOf(
  path: string,
  text: string | Uint8Array,
  placeholders: Placeholders = {},
): Promise<readonly FileProblem[]> {
  const { classify } = classifierOf({ name: "logs", placeholders });
  const target = targetOf({ ...connectionTo("http://h"), placeholders });
  try {
    const migration = classify(await loadedFile(path, text));
    return await FEATURES.problems((one) => one.look?.(migration, target));
  } catch (error) {
    if (error instanceof InvalidFilesError) return error.problems;
    throw error;
  }
}

/** Asserts that the schemas find nothing in a file, whatever else may be wrong with it. */
export function assertFits(path: string, text: string): void {
  const found = schemaWarnings(new JsonFile(path, text), search.definitions);
  assertEquals(found.map(({ message }) => message), [], `${path}: ${text}`);
}
