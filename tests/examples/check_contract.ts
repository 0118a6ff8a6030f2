import { assertEquals } from "@std/assert";
import { started } from "../e2e/command_line.ts";

/** Compares the `contract.ts` of an example with what `irori contract` writes. */
export async function checkContract(folder: string): Promise<void> {
  const { stdout, stderr } = await started(["contract"], folder);
  assertEquals(stderr, "");
  assertEquals(stdout, await Deno.readTextFile(`${folder}/contract.ts`));
}
