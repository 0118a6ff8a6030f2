import { join } from "@std/path";

/** Files of the repository that git knows, or would add, and that are there: no links, which lead to other files. */
export async function filesOf(cwd?: string): Promise<readonly string[]> {
  const listed = await git(cwd, "ls-files", "--cached", "--others", "--exclude-standard", "-z");
  const isFile = async (path: string) =>
    (await Deno.lstat(join(cwd ?? ".", path)).catch(() => undefined))?.isFile;
  const all = [...new Set(split(listed))].sort();
  const areFiles = await Promise.all(all.map(isFile));
  return all.filter((_, index) => areFiles[index]);
}

export interface Changes {
  readonly files: ReadonlySet<string>;
  /** The revision or state that the files are compared with, in words. */
  readonly since: string;
}

/**
 * Files that differ from a commit: committed, uncommitted, new and deleted ones.
 *
 * @param ref by default where the branch left `main`, or the last commit where that is `main` itself, or there is none
 * @throws {Error} where git does not know it
 */
export async function changedSince(ref?: string, cwd?: string): Promise<Changes> {
  const { base, since } = await baseOf(ref, cwd);
  const changed = split(await git(cwd, "diff", "--name-only", "--no-renames", "-z", base));
  const added = split(await git(cwd, "ls-files", "--others", "--exclude-standard", "-z"));
  return { files: new Set([...changed, ...added].sort()), since };
}

async function baseOf(
  ref: string | undefined,
  cwd: string | undefined,
): Promise<{ readonly base: string; readonly since: string }> {
  for (const candidate of ref === undefined ? ["main", "origin/main"] : [ref]) {
    const base = await git(cwd, "merge-base", candidate, "HEAD").catch(() => undefined);
    if (base === undefined) continue;
    return {
      base: base.trim(),
      since: `${base.slice(0, 10)}, where this branch left '${candidate}'`,
    };
  }
  if (ref !== undefined) {
    throw new Error(`Git knows no commit '${ref}' that this branch comes from: name another one`);
  }
  // A clone of one branch.
  const since = "the last commit alone, as there is no 'main': name a commit, '--changed COMMIT'";
  return { base: "HEAD", since };
}

/** The output of git. @throws {Error} with its message where it fails */
export async function git(cwd: string | undefined, ...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args], cwd })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`git ${args[0]}: ${text(stderr).trim()}`);
  return text(stdout);
}

function split(names: string): readonly string[] {
  return names.split("\0").filter((name) => name !== "");
}
