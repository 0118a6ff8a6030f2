import { compareCodePoints } from "../../migrations/runner/order.ts";
import { printable } from "../../text/mod.ts";

export interface PartRow {
  readonly name: string;
  readonly cells: readonly (number | "-")[];
  readonly state: string;
  /** The state of each file by its path. */
  readonly files?: ReadonlyMap<string, string>;
  /** The state of those that `files` lacks; empty where it is none of its files. @default "unknown" without `files` */
  readonly others?: "" | "unknown" | "not run";
}

export function tableOf(
  word: string,
  columns: readonly string[],
  rows: readonly PartRow[],
): readonly string[] {
  const width = Math.max(word.length, ...rows.map(({ name }) => name.length));
  const line = ({ name, cells, state }: Omit<PartRow, "cells"> & { cells: readonly unknown[] }) =>
    [
      "",
      name.padEnd(width),
      ...cells.map((cell, index) => `${cell}`.padStart(Math.max(7, columns[index]!.length))),
      state,
    ].join("  ");
  return [{ name: word, cells: columns, state: "state" }, ...rows].map(line);
}

export function numbered(rows: readonly PartRow[]): readonly PartRow[] {
  const width = `${rows.length}`.length;
  return rows.map((row, index) => ({
    ...row,
    name: `${`${index + 1}`.padStart(width)} ${row.name}`,
  }));
}

const MARKS: Readonly<Record<string, string>> = {
  applied: "a",
  reapplied: "r",
  pending: "P",
  changed: "C",
  interrupted: "I",
  missing: "M",
  differs: "D",
  unmanaged: "U",
  failed: "F",
  "not run": "N",
};
const NONE = ".";
const UNKNOWN = "?";
const NAMED = 5;

/** @param none the meaning of a file that a row lacks */
export function matrixOf(rows: readonly PartRow[], none: string): readonly string[] {
  const known = rows.flatMap(({ files = [] }) => [...files]).map(([path]) => path);
  const paths = [...new Set(known)].sort(compareCodePoints);
  const stateIn = ({ files, others = files ? "" : "unknown" }: PartRow, path = "") =>
    files?.get(path) ?? others;
  const same = (path: string) => {
    const states = new Set(rows.map((row) => stateIn(row, path)));
    states.delete("unknown");
    return states.size === 1 ? [...states][0] : undefined;
  };
  const isKnown = rows.every((row) => stateIn(row) !== "unknown");
  const { undefined: differing = [], ...groups } = Object.groupBy(
    paths,
    (path) => `${same(path)}`,
  );
  const lines = Object.entries(groups).map(([state, of = []]) => {
    const names = of.map((path) => printable(path)).join(", ");
    const which = state === "applied" || of.length > NAMED ? "" : `: ${names}`;
    return `  the same ${
      isKnown ? "everywhere" : "in all known clusters"
    }, ${state}: ${of.length}${which}`;
  });
  if (differing.length === 0) return lines;
  const all: Readonly<Record<string, string>> = { ...MARKS, [none]: NONE, unknown: UNKNOWN };
  const marks = differing.map((path) =>
    rows.map((row) => all[stateIn(row, path)] ?? NONE).join("")
  );
  const grid = differing.map((path, index) => `  ${marks[index]}  ${printable(path)}`);
  const digits = (place: number) =>
    rows.map((_, index) => {
      const number = `${index + 1}`.at(-1 - place) ?? " ";
      return place === 0 || index % 10 === 9 ? number : " ";
    }).join("");
  const used = new Set(marks.join(""));
  const legend = Object.entries(all)
    .flatMap(([state, mark]) => used.has(mark) ? `${mark} ${state}` : []).join(", ");
  const head = rows.length > 9 ? [`  ${digits(1)}`] : [];
  return [...lines, ...head, `  ${digits(0)}  ${legend}`, ...grid];
}
