import { createColors } from "picocolors";
import type { Output, Runtime } from "../runtime/mod.ts";

/** Colours for one stream; each function gives its text back unchanged where there are none. */
export type Colors = ReturnType<typeof createColors>;

/** What a command writes to: results for people, and beside them what goes on. */
export interface Screen {
  /** Writes results: to stdout, or to stderr when stdout holds a document. */
  write(text: string): void;
  /** Writes notices and errors to stderr. */
  log(text: string): void;
  /** Shows how far a run is, in one line of a terminal that the next text replaces; nothing elsewhere. */
  progress(done: number, total: number, label: string): void;
  /** Colours for `write`. */
  readonly colors: Colors;
  /** Colours for `log`. */
  readonly logColors: Colors;
}

/** The screen of a process. */
export function createScreen(runtime: Runtime, { json }: { readonly json?: boolean } = {}): Screen {
  const { stdout, stderr } = runtime;
  const out = json ? stderr : stdout;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  };
  return {
    colors: colorsFor(runtime, out),
    logColors: colorsFor(runtime, stderr),
    write(text) {
      clear();
      out.write(text);
    },
    log(text) {
      clear();
      stderr.write(text);
    },
    progress(done, total, label) {
      if (!isCapable(runtime, stderr)) return;
      clear();
      stderr.write(progressLine(done, total, label, stderr.columns));
      shown = true;
    },
  };
}

/** Colours are for terminals, and only where `NO_COLOR` is unset or empty (no-color.org). */
export function colorsFor(runtime: Runtime, output: Output): Colors {
  return createColors(isCapable(runtime, output) && !runtime.env.get("NO_COLOR"));
}

/** `[=====>    ] 3/12  release-1/logs-template.json`, cut to the width of the terminal. */
export function progressLine(done: number, total: number, label: string, columns: number): string {
  const filled = Math.floor(BAR * done / total);
  const bar = `${"=".repeat(filled)}${filled < BAR ? ">" : ""}`.padEnd(BAR);
  return `[${bar}] ${done}/${total}  ${label}`.slice(0, Math.max(columns - 1, 0));
}

const BAR = 20;
const CLEAR_LINE = "\r\x1b[2K";

function isCapable(runtime: Runtime, output: Output): boolean {
  return output.isTerminal && runtime.env.get("TERM") !== "dumb";
}
