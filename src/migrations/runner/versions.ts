/** A version as tools compare it: numbers, zeros at the end left out. */
export type Version = readonly bigint[];

/** `1.10`, `1_10`, `0001`; `undefined` for what is none. */
export function versionOf(text: string): Version | undefined {
  if (!/^\d+(?:[._]\d+)*$/.test(text)) return undefined;
  const parts = text.split(/[._]/).map(BigInt);
  while (parts.at(-1) === 0n && parts.length > 1) parts.pop();
  return parts;
}

export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i] ?? 0n, b[i] ?? 0n];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** The paths that have a version, in the order of those; equal ones stay as they come. */
export function byVersion(
  paths: readonly string[],
  versionOfPath: (path: string) => Version | undefined,
): readonly string[] {
  return paths.flatMap((path) => {
    const version = versionOfPath(path);
    return version ? [{ path, version }] : [];
  }).sort((a, b) => compareVersions(a.version, b.version)).map(({ path }) => path);
}

/** That in the first group of a pattern. */
export function versionIn(name: string, pattern: RegExp): Version | undefined {
  const [, version] = pattern.exec(name) ?? [];
  return version === undefined ? undefined : versionOf(version);
}
