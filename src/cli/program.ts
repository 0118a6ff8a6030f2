import type { Commands, Feature, Program } from "./command.ts";
import { GLOBALS } from "./globals.ts";
import { type Spelled, spelled } from "./option.ts";

/** The commands of features, each where it wants to stand. */
export function programOf(features: readonly Feature[]): Program {
  const list: [string, Commands[string]][] = [];
  for (const { commands = {}, after } of features) {
    insert(list, ([name]) => name === after, Object.entries(commands));
  }
  const all: Commands = { ...Object.fromEntries(list), help: () => import("./help.ts") };
  return {
    features,
    names: Object.keys(all),
    async additions() {
      const loaded = await Promise.all(features.map(({ adds }) => adds?.()));
      return loaded.flatMap((module) => module?.added ?? []);
    },
    async syntax(names, additions) {
      const loaded = await Promise.all(names.map((name) => all[name]?.()));
      const commands = loaded.flatMap((module) => module?.declared ?? []);
      const globals = [...spelled(GLOBALS)];
      const extra: Spelled[] = [];
      for (const { options, globalAfter } of additions) {
        const list = globalAfter === undefined ? extra : globals;
        insert(list, ({ key }) => key === globalAfter, spelled(options));
      }
      return {
        globals,
        commands: commands.map(({ options, ...command }) => {
          const more = features.flatMap(({ examples = {} }) => examples[command.name] ?? []);
          return {
            ...command,
            options: [...spelled(options), ...command.hasFindings ? extra : []],
            examples: [...command.examples, ...more],
          };
        }),
      };
    },
  };
}

/** Inserts behind the one that `isPlace` finds, or last: the feature that has it may be absent. */
function insert<T>(list: T[], isPlace: (one: T) => boolean, added: readonly T[]): void {
  list.splice(list.findIndex(isPlace) + 1 || list.length, 0, ...added);
}
