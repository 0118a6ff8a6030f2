import { addition, choice } from "../../cli/mod.ts";
import type { Format } from "./report.ts";

const FORMATS: readonly Format[] = ["github", "gitlab", "sarif", "markdown"];

/** The option `--format` of commands that find something. */
export const added = addition({
  options: {
    format: choice(
      "format",
      FORMATS,
      "print findings on stdout for a CI service, and the text on stderr",
    ),
  },
  reporter({ format }) {
    if (format === undefined) return undefined;
    return {
      option: "format",
      shown: withoutCommands,
      async print(...given) {
        await (await import("./print.ts")).printReport(format, ...given);
      },
    };
  },
});

/** Breaks what the runner of GitHub Actions takes for a command in a log: `::` at the start of a line, `##[` anywhere. */
export function withoutCommands(text: string): string {
  return text.replace(/^((?:[^\S\r\n]|\x85)*):(?=:)/gm, "$1: ").replaceAll("##[", "## [");
}
