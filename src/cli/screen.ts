import type { Output, Runtime } from "../runtime/mod.ts";

/** Colours for one stream; each function gives its text back unchanged where there are none. */
export interface Colors {
  /** Makes a text bold. */
  readonly bold: Paint;
  /** Makes a text pale. */
  readonly dim: Paint;
  /** Makes a text red. */
  readonly red: Paint;
  /** Makes a text green. */
  readonly green: Paint;
  /** Makes a text yellow. */
  readonly yellow: Paint;
  /** Makes a text cyan. */
  readonly cyan: Paint;
}

type Paint = (text: string) => string;

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
  return isCapable(runtime, output) && !runtime.env.get("NO_COLOR") ? COLORS : PLAIN;
}

/** `[=====>    ] 3/12  release-1/logs-template.json`, cut to the width of the terminal. */
export function progressLine(done: number, total: number, label: string, columns: number): string {
  const filled = Math.floor(BAR * done / total);
  const bar = `${"=".repeat(filled)}${filled < BAR ? ">" : ""}`.padEnd(BAR);
  return `[${bar}] ${done}/${total}  ${label}`.slice(0, Math.max(columns - 1, 0));
}

/** By a code of ECMA-48 (8.3.117) and the one that takes it back; to load a package for it takes longer than all else. */
function painted(on: number, off: number): Paint {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`;
}

const COLORS: Colors = {
  bold: painted(1, 22),
  dim: painted(2, 22),
  red: painted(31, 39),
  green: painted(32, 39),
  yellow: painted(33, 39),
  cyan: painted(36, 39),
};

const plain: Paint = (text) => text;
const PLAIN: Colors = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
};

const BAR = 20;
const CLEAR_LINE = "\r\x1b[2K";

function isCapable(runtime: Runtime, output: Output): boolean {
  return output.isTerminal && runtime.env.get("TERM") !== "dumb";
}
