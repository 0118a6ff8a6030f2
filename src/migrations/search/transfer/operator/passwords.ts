import { field, isObject } from "../../json/json_values.ts";
import { placeholderName } from "../placeholder_names.ts";
import type { Resource } from "./read_resource.ts";

/** The password of a user, which no manifest has. */
export interface Password {
  /** Name of the user. */
  readonly user: string;
  /** What stands for it in the file. */
  readonly placeholder: string;
  /** The Secret of Kubernetes that the operator takes it from; it lies in the namespace of the user. */
  readonly secret: string;
  readonly key: string;
  readonly namespace?: string;
}

/** A placeholder for each user, `USER_ADA_PASSWORD`. */
export function passwordsOf(users: readonly Resource[]): readonly Password[] {
  return users.map(({ name, aside: { password_from: from }, manifest: { namespace } }) => {
    const placeholder = placeholderName("USER", name, "PASSWORD");
    const text = (key: string) => isObject(from) ? String(field(from, key) ?? "") : "";
    return {
      user: name,
      placeholder,
      secret: text("name"),
      key: text("key"),
      ...(namespace !== undefined && { namespace }),
    };
  });
}
