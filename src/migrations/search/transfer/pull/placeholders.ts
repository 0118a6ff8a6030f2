import { isSecret } from "../../../../text/mod.ts";
import { type JsonMember, member, membersOf, objectText } from "../../json/json.ts";
import { field, valueOf } from "../../json/json_values.ts";
import { REPOSITORIES } from "../../kinds/named.ts";
import { escapedText, placeholderName } from "../written_file.ts";
import type { LiveBody } from "./live.ts";

export interface SecretPlaceholder {
  readonly name: string;
  /** For messages: `the password of user 'ada'`. */
  readonly of: string;
}

/** A body with placeholders for secrets, in which texts that look like declared placeholders are escaped. */
export function withPlaceholders(
  live: LiveBody,
  isDeclared: (name: string) => boolean,
  found: Map<string, SecretPlaceholder>,
): LiveBody {
  const { kind, name, text } = live;
  const own = (subject: string, secret: string, of: string) => {
    const placeholder = placeholderName(subject, name, secret);
    found.set(placeholder, { name: placeholder, of });
    return JSON.stringify(`\${${placeholder}}`);
  };
  const members = membersOf(escapedText(text, isDeclared), { offset: 0 });
  if (kind.secrets && !isServiceAccount(text)) {
    const value = own("USER", "PASSWORD", `the password of user '${name}'`);
    // Clusters show empty secrets.
    const shown = members.filter((one) => !kind.secrets?.includes(one.name));
    return { ...live, text: objectText([{ source: `"password":${value}` }, ...shown]) };
  }
  if (kind !== REPOSITORIES) return { ...live, text: objectText(members) };
  const masked = (setting: JsonMember): { readonly source: string } => {
    if (!isSecret(setting.name) || setting.value.kind !== "string") return setting;
    const of = `'${setting.name}' of the repository '${name}'`;
    const value = own("REPOSITORY", setting.name, of);
    return { source: `${JSON.stringify(setting.name)}:${value}` };
  };
  const settings = member(members, "settings");
  const source = objectText(members);
  if (settings?.kind !== "object") return { ...live, text: source };
  const changed = objectText(membersOf(settings.source, { offset: 0 }).map(masked));
  return {
    ...live,
    text: objectText(
      members.map((one) => one.name === "settings" ? { source: `"settings":${changed}` } : one),
    ),
  };
}

function isServiceAccount(text: string): boolean {
  return field(valueOf(text), "attributes", "service") === "true";
}
