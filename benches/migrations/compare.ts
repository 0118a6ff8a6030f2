import { join } from "@std/path";
import { median } from "../web/report.ts";
import { type Command, execute } from "../process.ts";

/** The runs that are measured, in this order. */
export const PHASES = ["first", "unchanged", "added"] as const;
export type Phase = typeof PHASES[number];
export type ByPhase = Record<Phase, number>;

/** A runner and its form of the same migrations. */
export interface Program {
  readonly name: string;
  /** The script that the runners are measured against: it keeps no lock and checks nothing. */
  readonly isBare?: boolean;
  /** Name and text of a migration; names are in the order of the numbers. */
  file(number: number): readonly [name: string, text: string];
  /** Writes what else it needs, beside the folder. */
  prepare?(url: string, folder: string): Promise<void>;
  /** @param folder holds nothing but the files; its name is `main` */
  command(url: string, folder: string, phase: Phase): Command;
}

/** What a program brings up to date: as if nothing had ever been there. */
export interface EmptyTarget extends AsyncDisposable {
  readonly url: string;
  /** Requests that have come in so far; 0 where they are not counted. */
  requests(): number;
}

/** What one program took. */
export interface Result {
  readonly program: Program;
  readonly milliseconds: ByPhase;
  /** Its first run, in those of the bare script of the same round. */
  readonly ratio: number;
  readonly requests: ByPhase;
  /** Highest resident memory of all runs. */
  readonly megabytes: number;
}

export interface Size {
  readonly files: number;
  readonly added: number;
  readonly rounds: number;
}

/**
 * Runs the programs in turns: one round that counts requests and watches memory, then `rounds` that take the time.
 *
 * @returns what each took, times as medians
 */
export async function compare(
  programs: readonly Program[],
  { files, added, rounds }: Size,
  open: (isCounted: boolean) => Promise<EmptyTarget>,
): Promise<readonly Result[]> {
  const times = new Map(programs.map((program) => [program, phases((): number[] => [])]));
  const counted = new Map(programs.map((program) => [program, phases(() => 0)]));
  const peaks = new Map<Program, number>();
  for (let round = 0; round <= rounds; round++) {
    const isCounted = round === 0;
    for (const program of rotated(programs, round)) {
      await using place = await open(isCounted);
      const project = await Deno.makeTempDir({ prefix: "irori-bench-" });
      const folder = join(project, "main");
      await Deno.mkdir(folder);
      await program.prepare?.(place.url, folder);
      for (const phase of PHASES) {
        const [from, to] =
          { first: [0, files], unchanged: [0, 0], added: [files, files + added] }[phase];
        for (let number = from!; number < to!; number++) {
          const [name, text] = program.file(number);
          await Deno.writeTextFile(join(folder, name), text);
        }
        const before = place.requests();
        const run = await execute(program.command(place.url, folder, phase), isCounted);
        if (!isCounted) times.get(program)![phase].push(run.milliseconds);
        else {
          counted.get(program)![phase] = place.requests() - before;
          peaks.set(program, Math.max(peaks.get(program) ?? 0, run.megabytes));
        }
      }
      await Deno.remove(project, { recursive: true });
    }
  }
  const bare = times.get(programs.find(({ isBare }) => isBare)!)!.first;
  return programs.map((program) => ({
    program,
    ratio: median(times.get(program)!.first.map((time, round) => time / bare[round]!)),
    milliseconds: phases((phase) => median(times.get(program)![phase])),
    requests: counted.get(program)!,
    megabytes: peaks.get(program)!,
  }));
}

function phases<T>(of: (phase: Phase) => T): Record<Phase, T> {
  return { first: of("first"), unchanged: of("unchanged"), added: of("added") };
}

/** Nobody is always the first. */
function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
