import { type Config, createConfig } from "../../config/mod.ts";
import { EACH_KEY } from "../parts/each.ts";

const PLACEHOLDERS = "migrations.placeholders";
/** Ways to authenticate: a cluster that has one of its own takes no other from its connection. */
const WAYS = [["username", "password"], ["api_key"], ["bearer_token"], ["auth"]] as const;
const NOTHING = createConfig();

/** The settings of a cluster, and those of its connection for what it leaves open. */
export function clusterSettings(
  own: Config,
  base: Config,
  hidden: readonly string[] = [EACH_KEY, ...otherWays(own)],
): Config {
  const isOwn = (key: string) => own.keys().includes(/^[^.[]*/.exec(key)![0]);
  const isHidden = (key: string) => hidden.some((one) => `${key}.`.startsWith(`${one}.`));
  const holderOf = (key: string) => isOwn(key) ? own : isHidden(key) ? NOTHING : base;
  const changed: Partial<Config> = {
    section(key) {
      if (key !== PLACEHOLDERS) return holderOf(key).section(key);
      const [ofOne, ofAll] = [own.section("placeholders"), base.section(key)];
      return ofOne && ofAll ? clusterSettings(ofOne, ofAll, []) : ofOne ?? ofAll;
    },
    keys: () => [...new Set([...own.keys(), ...base.keys()])],
    error(key, message) {
      const isOfBase = !isOwn(key) && base.get(key) !== undefined;
      return (isOfBase ? base : own).error(key, message);
    },
  };
  // All others have a key first.
  const read = (name: keyof Config) => (key: string, ...rest: readonly unknown[]) => {
    return Reflect.apply(holderOf(key)[name] as () => unknown, holderOf(key), [key, ...rest]);
  };
  return new Proxy({} as Config, {
    get(_, name: keyof Config) {
      return changed[name] ?? (typeof base[name] === "function" ? read(name) : base[name]);
    },
  });
}

function otherWays(own: Config): readonly string[] {
  const given = own.keys();
  const others = WAYS.filter((way) => !way.some((key) => given.includes(key)));
  const hasOwn = others.length < WAYS.length ||
    own.strings("hosts")?.some((host) => host.includes("@"));
  return hasOwn ? others.flat() : [];
}
