import type { Commands, Feature, Program } from "./command.ts";
import { GLOBALS } from "./globals.ts";
import { type Spelled, spelled } from "./option.ts";

/** The commands of features, each where it wants to stand. */
export function programOf(features: readonly Feature[]): Program {
  const list: [string, Commands[string]][] = [];
  for (const { commands = {}, after } of features) {
    const place = list.findIndex(([name]) => name === after) + 1 || list.length;
    list.splice(place, 0, ...Object.entries(commands));
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
      const added: Spelled[] = [];
      for (const { options, globalAfter } of additions) {
        const place = globals.findIndex(({ key }) => key === globalAfter) + 1;
        if (globalAfter === undefined) added.push(...spelled(options));
        else globals.splice(place, 0, ...spelled(options));
      }
      return {
        globals,
        commands: commands.map(({ options, ...command }) => {
          const own = spelled(options);
          const more = features.flatMap(({ examples = {} }) => examples[command.name] ?? []);
          return {
            ...command,
            options: command.hasFindings ? [...own, ...added] : own,
            examples: [...command.examples, ...more],
          };
        }),
      };
    },
  };
}
