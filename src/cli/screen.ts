import type { Output, Runtime } from "../runtime/mod.ts";
import { printable } from "../text/mod.ts";

export type Colors = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", Paint>>;

type Paint = (text: string) => string;

export interface Section {
  readonly title?: string | undefined;
  readonly text: string;
}

export type Screen = ReturnType<typeof createScreen>;

interface Progress {
  readonly done: number;
  readonly total: number;
}

export function createScreen(
  runtime: Runtime,
  json = false,
  reporter?: { shown(text: string): string },
) {
  const { stdout, stderr } = runtime;
  const out = json || reporter ? stderr : stdout;
  const render = reporter?.shown ?? String;
  let hasProgress = false;
  const clear = () => {
    if (hasProgress) stderr.write(CLEAR_LINE);
    hasProgress = false;
  };
  const sections: Section[] = [];
  return {
    // Read when they are used, which needs a permission on Deno.
    get colors(): Colors {
      return reporter ? PLAIN : colorsFor(runtime, out);
    },
    get logColors(): Colors {
      return colorsFor(runtime, stderr);
    },
    sections,
    /** @param connection begins the text about a connection */
    write(text: string, connection?: string): void {
      clear();
      print(out, render(text));
      if (!reporter) return;
      const last = connection === undefined ? sections.pop() : { title: connection, text: "" };
      sections.push({ title: last?.title, text: (last?.text ?? "") + text });
    },
    log(text: string): void {
      clear();
      print(stderr, render(text));
    },
    progress(label: string, of?: Progress): boolean {
      if (!isCapable(runtime, stderr)) return false;
      clear();
      stderr.write(progressLine(label, of, stderr.columns));
      return hasProgress = true;
    },
  };
}

/** On a terminal control characters are text; a pipe may become a file, such as that of `schema`. */
export function print(output: Output, text: string): void {
  output.write(output.isTerminal ? printable(text, OTHERS) : text);
}

// deno-lint-ignore no-control-regex -- all but tabs, line ends and the codes of COLORS
const OTHERS = /(?!\t|\r?\n|\u001b\[(?:[12]|22|3[1236]|39)m)\p{Cc}/gu;

/** Colours only on a terminal with `NO_COLOR` unset or empty (no-color.org). */
export function colorsFor(runtime: Runtime, output: Output): Colors {
  return isCapable(runtime, output) && !runtime.env.get("NO_COLOR") ? COLORS : PLAIN;
}

/** `[=====>    ] 3/12  release-1/logs-template.json`, cut to the width of the terminal. */
function progressLine(label: string, of: Progress | undefined, columns: number): string {
  const line = of ? `${bar(of)} ${grouped(of.done)}/${grouped(of.total)}  ${label}` : label;
  return printable(line).slice(0, Math.max(columns - 1, 0));
}

function bar({ done, total }: Progress): string {
  const filled = done >= total ? BAR : Math.floor(BAR * done / total);
  return `[${`${"=".repeat(filled)}${filled < BAR ? ">" : ""}`.padEnd(BAR)}]`;
}

export function grouped(number: number, digits = 0): string {
  return number.toLocaleString("en", { maximumFractionDigits: digits });
}

type Severity = "error" | "warning" | "notice";

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function marked(severity: Severity, text: string, colors: Colors): string {
  return `${(severity === "error" ? colors.red : colors.yellow)(`${severity}:`)} ${text}`;
}

export function tell(screen: Screen, severity: Severity, text: string): void {
  screen.log(`${marked(severity, text, screen.logColors)}\n`);
}

const colorsBy = (paint: (on: number, off: number) => Paint): Colors => ({
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39),
});
/** A code of ECMA-48 (8.3.117) and its reset. A package would take longer to load than the whole command. */
const COLORS = colorsBy((on, off) => (text) => `\x1b[${on}m${text}\x1b[${off}m`);
const PLAIN = colorsBy(() => String);

const BAR = 20;
const CLEAR_LINE = "\r\x1b[2K";

function isCapable(runtime: Runtime, output: Output): boolean {
  return output.isTerminal && runtime.env.get("TERM") !== "dumb";
}
