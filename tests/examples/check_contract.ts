import { assertEquals } from "@std/assert";
import { irori } from "../e2e/command_line.ts";

/** Compares the `contract.ts` of an example with what `irori contract` writes, formatted. */
export async function checkContract(folder: string): Promise<void> {
  const { stdout, stderr } = await irori(["contract"], folder);
  assertEquals(stderr, "");
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, stdout);
    const args = ["fmt", "--quiet", "--config", "deno.json", file];
    await new Deno.Command(Deno.execPath(), { args }).output();
    const kept = await Deno.readTextFile(`${folder}/contract.ts`);
    assertEquals(await Deno.readTextFile(file), kept);
  } finally {
    await Deno.remove(file);
  }
}
