/** Tests that `deno task test` leaves to `deno task test:all`. */
export interface OnlyInAll {
  readonly file: string;
  /** Titles; every test of the file where it is absent. */
  readonly titles?: RegExp;
  /** What of the same stays in `deno task test`, or why nothing has to. */
  readonly stays: string;
}

/**
 * The one list of what belongs to `deno task test:all` alone, apart from numbers of repetitions (`tests/long/mod.ts`) and
 * old clusters (`tests/servers/real.ts`). An entry that matches no test fails `deno task test:all`.
 */
export const ONLY_IN_ALL: readonly OnlyInAll[] = [];

/** Whether a test belongs to `deno task test:all` alone. @param title without it, whether all tests of the file do */
export function isOnlyInAll(path: string, title?: string): boolean {
  return ONLY_IN_ALL.some(({ file, titles }) =>
    file === path && (titles === undefined || (title !== undefined && titles.test(title)))
  );
}

/** Entries that no test of a whole run matches. @param tests with the paths of their files */
export function withoutTests(
  tests: readonly { readonly path: string; readonly title: string }[],
): readonly OnlyInAll[] {
  return ONLY_IN_ALL.filter(({ file, titles }) =>
    !tests.some(({ path, title }) => path === file && (titles?.test(title) ?? true))
  );
}
