import * as fc from "fast-check";
import type { Finding } from "../../../src/cli/mod.ts";

/** A finding of a rule, at a place of a file. */
export function finding(more: Partial<Finding> = {}): Finding {
  return { severity: "warning", rule: "drop-table", message: "Deletes 't'", ...more };
}

/** A workflow command, as the runner of GitHub Actions reads it. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

const NAMES = [
  ...["add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group"],
  ...[
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
  ],
];

/**
 * The commands in a log that the runner of GitHub executes: `::name properties::data` at the start of a line, `##[name
 * properties]data` anywhere.
 */
export function workflowCommands(log: string): readonly WorkflowCommand[] {
  return log.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, info = "", data = ""] = /^\s*::(.*?)::(.*)$/s.exec(line) ??
      /##\[(.*?)\](.*)$/s.exec(line) ?? [];
    const [name = "", ...rest] = info.split(" ");
    if (!NAMES.includes(name.toLowerCase())) return [];
    const properties = rest.join(" ").trim().split(",").filter((pair) => pair !== "").map(
      (pair) => {
        const [key = "", ...value] = pair.split("=");
        return [key, unescaped(value.join("="), { ":": "%3A", ",": "%2C" })];
      },
    );
    return [{ name, properties: Object.fromEntries(properties), data: unescaped(data) }];
  });
}

function unescaped(text: string, more: Readonly<Record<string, string>> = {}): string {
  const all = { "\r": "%0D", "\n": "%0A", ...more, "%": "%25" };
  return Object.entries(all).reduce((left, [token, code]) => left.replaceAll(code, token), text);
}

/** Texts that mean something to a runner or in Markdown. */
export const HOSTILE: fc.Arbitrary<string> = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        "::error::x",
        "::add-mask::x",
        "##[error]x",
        "%0A",
        "%",
        "%25",
        "\n",
        "\r",
        "\r\n",
        "::",
        ",",
      ],
      ...[
        "|",
        "\\|",
        "\\",
        "`",
        "```",
        "~~~",
        "<script>",
        "<!--",
        "&lt;",
        "&",
        "[a](http://b.c)",
        "*",
      ],
      ...[
        "__a__",
        "![i](j)",
        "@octocat",
        "#12",
        "www.a.bc",
        "https://a.bc",
        "a@b.cd",
        "$x$",
        "# h",
        " #",
      ],
      ...[
        "\u2028",
        "\u0085",
        "\u001b[31m",
        "\t",
        "- ",
        "1. ",
        "| --- |",
        "</summary>",
        "</details>",
      ],
    ),
    fc.string({ unit: "grapheme", maxLength: 5 }),
  ),
  { maxLength: 8 },
).map((parts) => parts.join(""));

/** Findings with hostile texts at every place. */
export const FINDINGS: fc.Arbitrary<readonly Finding[]> = fc.array(
  fc.record({
    severity: fc.constantFrom("error" as const, "warning" as const, "notice" as const),
    rule: HOSTILE.map((text) => `r${text}.`),
    message: HOSTILE,
    advice: fc.array(HOSTILE, { maxLength: 3 }),
    file: fc.option(HOSTILE.map((text) => `migrations/${text}`), { nil: undefined }),
    line: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    measured: fc.array(HOSTILE, { maxLength: 2 }),
  }),
  { maxLength: 6 },
);
