// How the exploration went: states on each level, and states per second.

function courseSection(figures) {
  const charts = [levelsChart(figures.levels), paceChart(figures.pace)].filter(Boolean);
  return section("Exploration", "exploration", element("dl", { class: "figure-list" }, figureList(figures)), charts.length ? element("div", { class: "plots" }, charts) : null);
}

function figureList(figures) {
  const entries = [["states", grouped(figures.states)], ["transitions", grouped(figures.transitions)], ["depth", counted(figures.depth, "level")],
    ["deadlocks", grouped(figures.deadlocks)], ["time", `${figures.seconds.toFixed(2)} s`], ["memory", `${Math.round(figures.memory_bytes / 1e6)} MB`],
    ["threads", figures.threads], ["rounds", figures.rounds]];
  if (figures.stopped) entries.push(["stopped", figures.stopped]);
  return entries.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

function levelsChart(levels) {
  if (levels.length < 2) return null;
  const points = levels.map(([first, count, states]) => [first + (count - 1) / 2, states / count]);
  const together = levels[0][1] > 1 ? `, ${levels[0][1]} levels together` : "";
  return plot(`States on each level${together}`, "level", "states", points);
}

function paceChart(pace) {
  if (pace.length < 4) return null;
  const least = pace.at(-1)[0] / 60; // between two points: shorter times tell more of the clock than of the speed
  const points = [];
  let [before, old] = pace[0];
  for (const [time, states] of pace) {
    if (time - before < least) continue;
    points.push([time, (states - old) / (time - before)]);
    [before, old] = [time, states];
  }
  if (points.length < 3) return null;
  return plot("States per second", "seconds", "states/s", points);
}

const PLOT = { width: 520, height: 220, left: 52, right: 12, top: 14, bottom: 34 };

function plot(title, horizontal, vertical, points) {
  const [low, high] = [points[0][0], points.at(-1)[0]];
  const most = Math.max(...points.map(([, y]) => y), 1e-9);
  const [across, up] = [PLOT.width - PLOT.left - PLOT.right, PLOT.height - PLOT.top - PLOT.bottom];
  const x = (value) => PLOT.left + across * (value - low) / (high - low || 1);
  const y = (value) => PLOT.top + up * (1 - value / most);
  const line = points.map(([a, b], index) => `${index ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  const area = `${line}L${x(high).toFixed(1)} ${y(0)}L${x(low).toFixed(1)} ${y(0)}Z`;
  const svg = shape("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": title }, ...gridLines(most, y),
    shape("path", { class: "area", d: area }), shape("path", { class: "curve", d: line }),
    ...[low, high].map((value, index) => shape("text", { x: x(value), y: PLOT.height - 14, "text-anchor": index ? "end" : "start" }, short(value))),
    shape("text", { class: "axis", x: PLOT.left + across / 2, y: PLOT.height - 4, "text-anchor": "middle" }, horizontal));
  return element("figure", { class: "plot" }, element("figcaption", {}, title, element("span", { class: "most" }, `at most ${short(most)} ${vertical}`)), svg);
}

function gridLines(most, y) {
  return [0, 0.5, 1].flatMap((part) => [
    shape("line", { class: "grid", x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(most * part), y2: y(most * part) }),
    shape("text", { x: PLOT.left - 6, y: y(most * part) + 4, "text-anchor": "end" }, short(most * part))]);
}
