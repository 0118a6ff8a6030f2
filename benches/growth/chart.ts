/** How much there was, and what it took. */
export type Point = readonly [size: number, value: number];

/** One panel: how something grows. */
export interface Chart {
  readonly title: string;
  readonly by: string;
  readonly unit: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

/**
 * The exponent of the growth over the upper half of the sizes, where constants count least: 1 is linear, 0 is constant.
 * The slope of the line of least squares through the logarithms.
 */
export function growth(points: readonly Point[]): number {
  const upper = points.slice(Math.floor(points.length / 2) - 1);
  const logs = upper.map(([size, value]) => [Math.log(size), Math.log(value)] as const);
  const mean = (axis: 0 | 1) => logs.reduce((sum, log) => sum + log[axis], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const above = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return above / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

/** The charts side by side, three in a row, both axes logarithmic, a dashed line where growth is linear. */
export function svg(charts: readonly Chart[]): string {
  const rows = Math.ceil(charts.length / 3);
  const panels = charts.map((chart, index) =>
    panel(chart, (index % 3) * PANEL.width, Math.floor(index / 3) * PANEL.height)
  );
  const [width, height] = [3 * PANEL.width, rows * PANEL.height];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
}

const PANEL = { width: 320, height: 240 };
const PLOT = { left: 56, top: 34, width: 244, height: 164 };
const COLOURS = ["#1f6feb", "#d1570a", "#2a7d3f"];

function panel(chart: Chart, left: number, top: number): string {
  const points = chart.lines.flatMap((line) => line.points);
  const x = scale(points.map(([size]) => size), PLOT.left, PLOT.width, false);
  const y = scale(points.map(([, value]) => value), PLOT.top + PLOT.height, -PLOT.height, true);
  const bottom = PLOT.top + PLOT.height;
  const right = PLOT.left + PLOT.width;
  const grid = [
    ...x.ticks.map((tick) =>
      line(x.at(tick), PLOT.top, x.at(tick), bottom) +
      text(x.at(tick), bottom + 15, short(tick), "middle")
    ),
    ...y.ticks.map((tick) =>
      line(PLOT.left, y.at(tick), right, y.at(tick)) +
      text(PLOT.left - 6, y.at(tick) + 4, short(tick), "end")
    ),
  ];
  const curves = chart.lines.map(({ name, points }, index) => {
    const colour = COLOURS[index]!;
    const path = points.map(([a, b]) => `${round(x.at(a))},${round(y.at(b))}`).join(" ");
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      text(PLOT.left + 8, PLOT.top + 14 + 14 * index, name, "start", colour);
  });
  return [
    `<g transform="translate(${left} ${top})">`,
    text(PLOT.left, 20, `${chart.title}, ${chart.unit}`, "start", "#111"),
    text(right, 20, `by ${chart.by}`, "end"),
    ...grid,
    linear(chart, x, y),
    ...curves,
    "</g>",
  ].join("\n");
}

/** Where the first line would go if it grew as the sizes do, ending where that ends. */
function linear({ lines }: Chart, x: Scale, y: Scale): string {
  const [size, value] = lines[0]!.points.at(-1)!;
  const start = Math.max(x.low, size * y.low / value);
  const ends = [[start, value * start / size], [size, value]] as const;
  const [[a, b], [c, d]] = [ends[0], ends[1]];
  return line(x.at(a), y.at(b), x.at(c), y.at(d), `stroke="#999" stroke-dasharray="4 4"`);
}

interface Scale {
  readonly low: number;
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** A logarithmic axis; where it has to start and end at powers of ten, it does. */
function scale(values: readonly number[], start: number, length: number, isRound: boolean): Scale {
  const power = (value: number, round: (value: number) => number) => 10 ** round(Math.log10(value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const low = isRound ? power(least, Math.floor) : least;
  const high = isRound ? Math.max(power(most, Math.ceil), low * 10) : most;
  const ticks = [];
  for (let tick = power(low, Math.ceil); tick <= high * 1.001; tick *= 10) ticks.push(tick);
  const at = (value: number) => start + length * Math.log(value / low) / Math.log(high / low);
  return { low, ticks, at };
}

function line(x1: number, y1: number, x2: number, y2: number, style = `stroke="#ddd"`): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map(round);
  return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" ${style}/>`;
}

function text(x: number, y: number, content: string, anchor: string, colour = "#555"): string {
  return `<text x="${round(x)}" y="${
    round(y)
  }" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}

function short(value: number): string {
  return value >= 1000 ? `${value / 1000}k` : `${Number(value.toPrecision(3))}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
