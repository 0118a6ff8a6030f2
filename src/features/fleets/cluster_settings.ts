import { type Config, type ConfigValue, createConfig } from "../../config/mod.ts";
import { EACH } from "./fleet.ts";

const PLACEHOLDERS = "migrations.placeholders";
/** Ways to authenticate: a cluster that has one of its own takes no other from its connection. */
const WAYS = [["username", "password"], ["api_key"], ["bearer_token"], ["auth"]] as const;
const NOTHING = createConfig();

/** The settings of a cluster, and those of its connection for what it leaves open. */
export class ClusterSettings implements Config {
  constructor(
    private readonly own: Config,
    private readonly base: Config,
    private readonly hidden: readonly string[] = [EACH, ...otherWays(own)],
  ) {}

  get root(): string {
    return this.base.root;
  }

  get(key: string): ConfigValue | undefined {
    return this.#holder(key).get(key);
  }

  string<F extends string | undefined = undefined>(key: string, fallback?: F): string | F {
    return this.#holder(key).string(key) ?? fallback as F;
  }

  number<F extends number | undefined = undefined>(key: string, fallback?: F): number | F {
    return this.#holder(key).number(key) ?? fallback as F;
  }

  boolean<F extends boolean | undefined = undefined>(key: string, fallback?: F): boolean | F {
    return this.#holder(key).boolean(key) ?? fallback as F;
  }

  required: Config["required"] = (key, kind) => this.#holder(key).required(key, kind);
  bind: Config["bind"] = (prefix, schema) => this.#holder(prefix).bind(prefix, schema);

  strings(key: string): readonly string[] | undefined {
    return this.#holder(key).strings(key);
  }

  section(key: string): Config | undefined {
    if (key !== PLACEHOLDERS) return this.#holder(key).section(key);
    const [own, base] = [this.own.section("placeholders"), this.base.section(PLACEHOLDERS)];
    return own && base ? new ClusterSettings(own, base, []) : own ?? base;
  }

  sections(key: string): readonly Config[] {
    return this.#holder(key).sections(key);
  }

  keys(): readonly string[] {
    return [...new Set([...this.own.keys(), ...this.base.keys()])];
  }

  error(key: string, message: string): Error {
    const isOfBase = !this.#isOwn(key) && this.base.get(key) !== undefined;
    return (isOfBase ? this.base : this.own).error(key, message);
  }

  #holder(key: string): Config {
    if (this.#isOwn(key)) return this.own;
    return this.hidden.some((one) => `${key}.`.startsWith(`${one}.`)) ? NOTHING : this.base;
  }

  #isOwn(key: string): boolean {
    return this.own.keys().includes(/^[^.[]*/.exec(key)![0]);
  }
}

function otherWays(own: Config): readonly string[] {
  const given = own.keys();
  const others = WAYS.filter((way) => !way.some((key) => given.includes(key)));
  const hasOwn = others.length < WAYS.length ||
    own.strings("hosts")?.some((host) => host.includes("@"));
  return hasOwn ? others.flat() : [];
}
