import type { FileProblem, LintOptions } from "../../../src/migrations/runner/mod.ts";
import { classifierOf } from "../../../src/migrations/sql/execute/classifier.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { loadedFile } from "../../migrations/sql/support.ts";

/** A datasource that nothing connects to. */
export function datasourceOf(
  kind: Datasource["kind"],
  migrations: Partial<Datasource["migrations"]> = {},
): Datasource {
  return {
    ...{ name: "main", kind, database: "shop", host: "localhost", port: 0, connectTimeoutMs: 5000 },
    migrations: { enabled: true, onChange: "fail", placeholders: {}, lint: "warn", ...migrations },
  };
}

/** What linting finds in files, in order, and what it tells besides. */
export async function lint(
  tree: Readonly<Record<string, string>>,
  { kind = "postgresql", notices = [], options = {}, ...migrations }:
    & { kind?: Datasource["kind"]; notices?: string[]; options?: LintOptions }
    & Partial<Datasource["migrations"]> = {},
): Promise<readonly FileProblem[]> {
  const classifier = classifierOf(datasourceOf(kind, migrations), {
    onNotice: (message) => notices.push(message),
  });
  const files = await Promise.all(
    Object.entries(tree).map(async ([path, text]) =>
      classifier.classify(await loadedFile(path, text))
    ),
  );
  return await classifier.lint!(files, options);
}

/** The names of the rules that find something in the last of some texts, each a file. */
export async function rulesIn(
  texts: readonly string[],
  options?: Parameters<typeof lint>[1],
): Promise<readonly string[]> {
  const tree = Object.fromEntries(texts.map((text, index) => [`${index}.sql`, text]));
  const problems = await lint(tree, options);
  return problems.filter(({ path }) => path === `${texts.length - 1}.sql`)
    .map(({ rule, message }) => rule ?? message);
}
