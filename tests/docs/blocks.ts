/** A block of code in a page. */
export interface Block {
  /** `docs/guide/errors.md:17`, the line of its first line. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

/** The blocks of code of a page of Markdown, those in lists too. */
export function blocksOf(markdown: string, page: string): readonly Block[] {
  return [...markdown.matchAll(/^( *)```(\S*)[^\n]*\n([^]*?)^ *```$/gm)].map(
    ({ index, 1: indent = "", 2: language = "", 3: code = "" }) => ({
      place: `${page}:${markdown.slice(0, index).split("\n").length + 1}`,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

/**
 * The arguments with which lines of a shell call the command line, each with the line: as `irori`, `npx irori` or
 * `deno run … jsr:@irori/irori/cli`, after variables or not, up to a comment or the end of the command.
 */
export function callsOf(shell: string): readonly (readonly string[])[] {
  const calls: (readonly string[])[] = [];
  for (const line of shell.replace(/\\\n\s*/g, " ").split("\n")) {
    for (const command of line.replace(/(^| +)#.*$/, "").split(/&&|\|\||[|;]/)) {
      const [, args] = CALL.exec(command.trim()) ?? [];
      if (args !== undefined) calls.push(words(args.replace(/\d?>>? *\S+/g, "")));
    }
  }
  return calls;
}

const CALL =
  /^(?:[A-Z_]+=(?:"[^"]*"|\S*) +)*(?:(?:npx|bunx)(?: -p \S+)* irori|irori|deno run(?: -\S+)* jsr:@irori\/irori\/cli)( .*|)$/;

/** Of a shell that fills in nothing. */
function words(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}
