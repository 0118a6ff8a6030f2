import { fromFileUrl } from "@std/path";

/** Whether whole proofs run, and not a slice of them: `deno task test:long`. */
export const IS_LONG: boolean = Deno.env.get("IRORI_LONG") === "1";

/**
 * A slice of what takes too long for every run: every n-th, from a place that differs from list to list; all of them in
 * `deno task test:long`.
 */
export function slice<T>(all: readonly T[], every: number, offset = 0): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => index % every === offset % every);
}

/**
 * Writes what a whole proof found into `docs/proofs`, with the command and the date. A slice writes nothing, nor does a
 * proof that found nothing, as none of its tests was chosen.
 */
export async function writeProof(
  name: string,
  introduction: string,
  found: readonly string[],
): Promise<void> {
  if (!IS_LONG || found.length === 0) return;
  const folder = new URL("../../docs/proofs/", import.meta.url);
  await Deno.mkdir(folder, { recursive: true });
  const head = `<!-- Written by 'deno task test:long' on ${
    new Date().toISOString().slice(0, 10)
  }. -->`;
  const file = new URL(`${name}.md`, folder);
  await Deno.writeTextFile(file, `${head}\n\n${introduction}${found.join("\n")}\n`);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", fromFileUrl(file)] }).output();
}
