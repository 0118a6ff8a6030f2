import type { FileProblem } from "../../../src/migrations/runner/mod.ts";
import type { Linting } from "../../../src/features/lint/facts.ts";
import { LINT } from "../../../src/features/lint/feature.ts";
import { lintFiles, type LintOptions, type LintSettings } from "../../../src/features/lint/lint.ts";
import { engineOf } from "../../../src/migrations/sql/engines/table.ts";
import { classifierOf } from "../../../src/migrations/sql/execute/classifier.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { loadedFile } from "../../migrations/sql/support.ts";

/** The datasource, with files that are linted. */
export function withLint(
  datasource: Datasource,
  lint: Linting["lint"] = "warn",
  lintFrom?: string,
): Datasource {
  return { ...datasource, offers: [...datasource.offers, LINT.offer({ lint, lintFrom })] };
}

/** A datasource that nothing connects to. */
export function datasourceOf(
  kind: Datasource["kind"],
  migrations: Partial<Datasource["migrations"]> = {},
): Datasource {
  return {
    ...{ name: "main", kind, database: "shop", host: "localhost", port: 0, connectTimeoutMs: 5000 },
    migrations: { enabled: true, onChange: "fail", placeholders: {}, ...migrations },
    offers: [],
  };
}

/** The findings of the linter in files, in order, and its notices. */
export async function lint(
  tree: Readonly<Record<string, string>>,
  { kind = "postgresql", notices = [], options = {}, lint = "warn", lintFrom, ...migrations }:
    & { kind?: Datasource["kind"]; notices?: string[]; options?: LintOptions }
    & Partial<Linting>
    & Partial<Datasource["migrations"]> = {},
): Promise<readonly FileProblem[]> {
  const datasource = datasourceOf(kind, migrations);
  const classifier = await classifierOf(datasource);
  const files = await Promise.all(
    Object.entries(tree).map(async ([path, text]) =>
      classifier.classify(await loadedFile(path, text))
    ),
  );
  const onNotice = (message: string) => notices.push(message);
  return await lintFiles(
    files,
    options,
    await settingsOf(datasource, { lint, lintFrom, onNotice }),
  );
}

/** As a run has them that has not asked a server. */
export async function settingsOf(
  datasource: Datasource,
  given: Partial<LintSettings> = {},
): Promise<LintSettings> {
  const dialect = await engineOf(datasource).dialect();
  const linting = { lint: "warn", lintFrom: undefined } as const;
  return { datasource, dialect, facts: {}, ...linting, onNotice: () => {}, ...given };
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
