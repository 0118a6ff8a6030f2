const WIDTH = 60;

/** The beginning of a statement in one line, for messages. @param width in characters */
export function brief(sql: string, width = WIDTH): string {
  const line = Array.from(sql.replace(/\s+/g, " ").trim());
  return line.length > width ? `${line.slice(0, width - 2).join("")} …` : line.join("");
}
