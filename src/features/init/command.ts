import { choice, command, type Context, flag, text, UsageError } from "../../cli/mod.ts";
import { printable } from "../../text/mod.ts";
import { join, resolve } from "../../runtime/path.ts";
import { isConfigured } from "./configured.ts";
import { LOOKED_FOR, type Place, projectIn, TOOLS } from "./projects.ts";
import { proposalFor } from "./proposal.ts";
import { lineSettings } from "./settings.ts";

export const declared = command({
  name: "init",
  description: "propose a configuration for the files of another tool, and try it (sql)",
  options: {
    from: choice("tool", TOOLS, "the tool, where files of several are found"),
    folder: text("dir", "the folder of its migrations, if it cannot be read"),
    write: flag("write the configuration, and try nothing"),
  },
  examples: [["init", "print a configuration, and what 'adopt' and 'plan' would do with it"]],
  epilogue: `${LOOKED_FOR}Executes none of them. Writes nothing without --write.
`,
  worked: `
$ irori init --write
Found drizzle: drizzle.config.ts
Written: config/application.yml
Before a run, set DATABASE_URL: it is in '.env', which 'node --env-file=.env node_modules/irori/bin.js <command>' reads
Next: npm install irori && node --env-file=.env node_modules/irori/bin.js adopt --dry-run
`,
  async run(context, { from, folder, write = false }) {
    const { runtime, globals: { config }, program: { features }, screen } = context;
    if (await isConfigured(runtime, config)) {
      throw new UsageError(`There is a configuration in '${config}' already: change it by hand`);
    }
    const place = await placeOf(context);
    const project = await projectIn(place, from, folder);
    const proposal = proposalFor(project, place, runtime);
    const { tool, file, url: { unread } = {} } = project;
    const path = join(config, "application.yml");
    const unset = Object.fromEntries([...proposal.unset].map(([name, [source]]) => [name, source]));
    const found = { tool, file, unread, path, configuration: proposal.text, unset };
    const tell = (line: string) => screen.write(`${printable(line)}\n`);
    tell(`Found ${tool}: ${file}`);
    if (unread) tell(`Cannot read '${unread}' of '${file}': DATABASE_URL stands in its place`);
    if (write) {
      await runtime.files.writeTextFile(resolve(runtime.cwd(), path), proposal.text);
      tell(`Written: ${path}`);
    } else {
      screen.write(`${path} would be:\n\n${proposal.text.replace(/^(?=.)/gm, "  ")}\n`);
    }
    for (const [name, [source]] of proposal.unset) tell(`Before a run, set ${name}: ${source}`);
    if (write) {
      tell(`Next: ${proposal.program} adopt ${tool === "dbmate" ? "--write" : "--dry-run"}`);
      return context.printJson({ ...found, written: true });
    }
    const { asAdopted, tryCommand } = await import("./trial.ts");
    const adopt = await tryCommand(context, proposal, features, "adopt", "--dry-run");
    const more = [...features, asAdopted(adopt.document)];
    const plan = adopt.code === 0 ? await tryCommand(context, proposal, more, "plan") : undefined;
    tell("Nothing was written: --write writes it");
    context.printJson({ ...found, written: false, adopt: adopt.document, plan: plan?.document });
    return plan?.code ?? adopt.code;
  },
});

async function placeOf({ runtime }: Context): Promise<Place> {
  const { files, env } = runtime;
  const first: Place["first"] = async (...paths) => {
    for (const file of paths) {
      const path = resolve(runtime.cwd(), file);
      if (file.endsWith("/")) {
        const found = await Array.fromAsync(files.walk(path)).catch(() => []);
        const hasSql = found.some((one) => one.path.endsWith(".sql"));
        if (hasSql) return { file: file.slice(0, -1), text: "" };
      } else if ((await files.stat(path))?.isFile) {
        return { file, text: await files.readTextFile(path) };
      }
    }
  };
  const dotEnv = lineSettings((await first(".env"))?.text ?? "");
  return { first, variable: (name) => env.get(name) ?? dotEnv[name] };
}
