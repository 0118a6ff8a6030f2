import { assertEquals } from "@std/assert";
import {
  type FileProblem,
  InvalidFilesError,
  type LoadedFile,
} from "../../../src/migrations/runner/mod.ts";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import type { Placeholders } from "../../../src/migrations/search/types.ts";
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
  const file = await loadedFile(path, text);
  try {
    classify(file);
  } catch (error) {
    if (error instanceof InvalidFilesError) return error.problems;
    throw error;
  }
  return await look(file, placeholders);
}

/** Asserts that the schemas find nothing in a file, whatever else may be wrong with it. */
export async function assertFits(path: string, text: string): Promise<void> {
  const found = await look(await loadedFile(path, text));
  assertEquals(found.map(({ message }) => message), [], `${path}: ${text}`);
}

function look(file: LoadedFile, placeholders: Placeholders = {}): Promise<readonly FileProblem[]> {
  const target = targetOf({ ...connectionTo("http://h"), placeholders });
  return FEATURES.problems((one) => one.look?.(file, target));
}
