const WIDTH = 60;

export function brief(sql: string, width = WIDTH): string {
  const line = Array.from(sql.replace(/\s+/g, " ").trim());
  return line.length > width ? `${line.slice(0, width - 2).join("")} …` : line.join("");
}
