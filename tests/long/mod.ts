import { fromFileUrl } from "@std/path";

/** Whether whole proofs run instead of samples: `deno task test:long`. */
export const IS_LONG: boolean = Deno.env.get("IRORI_LONG") === "1";

/** Whether everything runs: `deno task test:all`, and `deno task test:long`. */
export const IS_ALL: boolean = IS_LONG || Deno.env.get("IRORI_TEST_ALL") === "1";

/** A number of repetitions, which depends on the command: `deno task test`, `test:all` or `test:long`. */
export function depth(sample: number, all: number, long: number = all): number {
  return IS_LONG ? long : IS_ALL ? all : sample;
}

/** A sample of what takes too long for every run: every n-th; all of them in `deno task test:long`. */
export function slice<T>(all: readonly T[], every: number, offset = 0): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => index % every === offset % every);
}

/**
 * Writes the result of a whole proof into `docs/proofs`, with the command and the date. A sample writes nothing, nor does
 * a proof without results, because no test of it was selected.
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
