import { listed } from "../../../text/mod.ts";
import { type JsonMember, member } from "../json/json.ts";
import { KINDS } from "../kinds/resource.ts";
import type { Kind, KindFile, MemberKind } from "../kinds/types.ts";

type FiledKind = Kind & { readonly file: KindFile };

const FILED = KINDS.filter((kind): kind is FiledKind => kind.file !== undefined);
/** The endings of files that need none, as their content shows what they are, too. */
export const ENDINGS = { template: "-template", policy: "-policy", index: "-index" } as const;
const OPTIONAL = new RegExp(`(?:${Object.values(ENDINGS).join("|")})$`);
/** `-search-pipeline` comes before `-pipeline`. */
const LONGEST_FIRST = [ENDINGS.template, ENDINGS.policy, ...FILED.map(({ file }) => file.ending)]
  .sort((a, b) => b.length - a.length);

export function nameOfFile(path: string): string {
  return stemOf(path).replace(OPTIONAL, "");
}

/** The ending names the kind of the content; `undefined` where the content alone decides. */
export function endingOf(path: string): string | undefined {
  return conventionOf(path)?.ending.slice(1);
}

/** @returns with the kinds that share the ending; none for templates and policies, which their content shows, too */
export function conventionOf(path: string) {
  // A kind of which a cluster has only one needs no name.
  const stem = `-${stemOf(path)}`;
  const ending = LONGEST_FIRST.find((ending) => stem.endsWith(ending));
  const kinds = FILED.filter(({ file }) => file.ending === ending);
  if (ending === undefined || (stem === ending && !kinds[0]?.isSingle)) return undefined;
  return { ending, name: stem.slice(1, -ending.length), kinds };
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/i, "");
}

const NOUNS: Readonly<Record<MemberKind, string>> = {
  array: "a list",
  object: "an object",
  string: "a string",
};

export function isBodyOf(file: KindFile, members: readonly JsonMember[]): boolean {
  if (file.isBody) return file.isBody(members);
  return Object.entries(file.members ?? {}).some(([kind, names]) =>
    names.some((name) => member(members, name)?.kind === kind)
  );
}

export function expectedOf({ members = {}, isOf, expected }: KindFile): string {
  const kinds = Object.keys(members) as MemberKind[];
  const names = listed(Object.values(members).flat().map((name) => `'${name}'`), "or");
  const content = expected ?? (kinds.length === 1 ? `${NOUNS[kinds[0]!]} ${names}` : names);
  return isOf === undefined ? content : `for ${isOf} ${content}`;
}
