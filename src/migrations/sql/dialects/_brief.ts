/** The most that is shown of a statement. */
const WIDTH = 60;

/** The beginning of a statement in one line, for messages. */
export function brief(sql: string): string {
  const line = Array.from(sql.replace(/\s+/g, " ").trim());
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 2).join("")} …` : line.join("");
}
