import { CALL } from "../../docs/.vitepress/runtimes.ts";

/**
 * The arguments with which lines of a shell call the command line: as `irori`, `npx irori` or
 * `deno run … jsr:@irori/irori/cli`, after variables or not, up to a comment or the end of the command.
 */
export function callsOf(shell: string): readonly (readonly string[])[] {
  const calls: (readonly string[])[] = [];
  for (const line of shell.replace(/\\\n\s*/g, " ").split("\n")) {
    for (const part of line.replace(/(^| +)#.*$/, "").split(/&&|\|\||[|;]/)) {
      const command = part.trim();
      const [call] = CALL.exec(command) ?? [];
      if (call === undefined) continue;
      calls.push(words(command.slice(call.length).replace(/\d?>>? *\S+/g, "")));
    }
  }
  return calls;
}

/** Splits as a shell does that expands nothing. */
function words(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}
