import type { Finding } from "../../cli/mod.ts";

/** The runner keeps as many findings of each severity in a step, and UTF-16 units of a message. */
const KEPT = { findings: 10, characters: 4096 };

/** Workflow commands. If there are more of a severity than the runner keeps, the last one kept says how many follow. */
export function githubCommands(findings: readonly Finding[]): string {
  const lines: string[] = [];
  for (const [severity, own] of Map.groupBy(findings, (finding) => finding.severity)) {
    const commands = own.map(commandOf);
    const more = commands.length - KEPT.findings + 1;
    if (more > 1) {
      const message = `${more} more ${severity}s: the summary and the log have all of them`;
      commands.splice(KEPT.findings - 1, 0, `::${severity} title=irori::${message}`);
    }
    lines.push(...commands);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function commandOf({ severity, rule, message, advice = [], file, line, column }: Finding): string {
  const place = file === undefined ? {} : { file, line, col: column };
  const properties = Object.entries({ ...place, title: rule })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(`${value}`)}`);
  const text = [message, ...advice].join("\n").slice(0, KEPT.characters);
  return `::${severity} ${properties.join(",")}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
