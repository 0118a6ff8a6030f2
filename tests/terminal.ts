/** The output in the terminal, and the exit code. */
export interface Shown {
  readonly code: number;
  readonly shown: string;
}

/** How a command is run on a terminal. */
export interface TerminalOptions {
  readonly cwd?: string;
  /** The input; without it, there is no terminal for questions. */
  readonly typed?: string;
  /** Commands of the shell before the command. */
  readonly before?: string;
}

/** Runs a command in a real pseudo-terminal, until it ends. */
export async function onTerminal(
  command: readonly string[],
  { cwd, typed, before = "" }: TerminalOptions = {},
): Promise<Shown> {
  const line = before + command.map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", line, "/dev/null"],
    cwd,
    stdin: typed === undefined ? "null" : "piped",
    stdout: "piped",
  }).spawn();
  // Open until the command has ended: the end of the input would be typed, too.
  const input = typed === undefined ? undefined : child.stdin.getWriter();
  await input?.write(new TextEncoder().encode(typed));
  const { code, stdout } = await child.output();
  await input?.close().catch(() => {});
  return { code, shown: new TextDecoder().decode(stdout).replaceAll("\r\n", "\n") };
}
