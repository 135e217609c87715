// The message sequence chart: objects as life lines, steps as rows.
//
// A message goes sideways from its sender to the edge of its receiver's column, waits there on the way
// down, and turns in where it is taken. So waiting is seen, and arrows never cross states.

const CHART = { row: 46, send: 16, head: 16, firstSend: 37, lane: 6, letter: 6.3 };

class SequenceChart {
  constructor(scene, run) {
    this.scene = scene;
    this.run = run;
    this.hasEnvironment = run.steps.some((step) => step.event === "environment" || step.taken?.from_environment);
    this.column = this.columnWidth();
    this.tops = this.rowTops();
    this.width = this.left(scene.objects.length);
    this.height = this.tops.at(-1) + (run.view.sentence ? 40 : 12);
    this.lanes = scene.objects.map(() => []);
    this.node = this.draw();
  }

  columnWidth() {
    const names = this.scene.objects.map((object) => object.name);
    const states = this.run.steps.flatMap((step) => step.objects.map(([, object]) => object.active));
    const messages = this.run.steps.flatMap((step) => step.sent.map((sent) => sent.message));
    const longest = Math.max(...names.concat(states, messages).map((text) => text.length), 8);
    const least = Math.min(210, Math.max(128, longest * CHART.letter + 56));
    const usual = 360 / Math.max(1, this.scene.objects.length); // few objects have room
    return Math.max(least, Math.min(210, usual));
  }

  // Where each row begins, and where the last one ends.
  rowTops() {
    const tops = [0];
    for (const step of this.run.steps) tops.push(tops.at(-1) + CHART.row + CHART.send * Math.max(0, step.sent.length - 1));
    return tops;
  }

  left(index) {
    return (this.hasEnvironment ? 104 : 0) + index * this.column;
  }

  lifeLine(index) {
    return index === null ? 52 : this.left(index) + this.column / 2;
  }

  head(row) {
    return this.tops[row] + CHART.head;
  }

  draw() {
    const svg = shape("svg", { class: "chart", width: this.width, height: this.height,
      viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": "message sequence chart" });
    this.band = shape("rect", { class: "band", x: 0, width: this.width, y: 0, height: 0 });
    svg.append(arrowHeads(), this.band, ...this.lifeLines());
    this.run.steps.forEach((step, row) => svg.append(this.row(step, row)));
    if (this.run.view.sentence) svg.append(this.ending());
    return svg;
  }

  lifeLines() {
    const lines = this.scene.objects.map((_, index) => index);
    if (this.hasEnvironment) lines.unshift(null);
    return lines.map((index) => shape("line", { class: index === null ? "life environment" : "life",
      x1: this.lifeLine(index), x2: this.lifeLine(index), y1: 0, y2: this.tops.at(-1) }));
  }

  row(step, row) {
    const group = shape("g", { class: "row", "data-row": row });
    group.append(...this.receipt(step, row), ...this.marks(step, row));
    step.sent.forEach((sent, number) => group.append(this.sending(step, row, sent, number)));
    return group;
  }

  // What happens on life lines: states entered, or a dot where somebody acts and stays.
  marks(step, row) {
    const before = this.run.configurations[row - 1];
    const moved = step.objects.filter(([index, object]) => before?.objects[index].active !== object.active);
    const marks = moved.map(([index, object]) => this.state(index, row, object.active));
    const acts = step.object !== null && step.event !== "environment";
    if (acts && !moved.some(([index]) => index === step.object)) {
      marks.push(shape("circle", { class: "act", cx: this.lifeLine(step.object), cy: this.head(row), r: 4.5 }));
    }
    if (step.fault && step.object !== null) marks.push(cross(this.lifeLine(step.object), this.head(row) + (moved.length ? 18 : 0), "fault"));
    return marks;
  }

  state(index, row, name) {
    const half = this.halfPill(name);
    const [x, y] = [this.lifeLine(index), this.head(row)];
    return shape("g", { class: "pill" },
      shape("rect", { x: x - half, y: y - 10, width: 2 * half, height: 20, rx: 10 }),
      shape("text", { x, y: y + 4, "text-anchor": "middle" }, clipped(name, this.pillLetters())),
      shape("title", {}, name));
  }

  pillLetters() {
    return Math.floor((this.column - 52) / CHART.letter);
  }

  halfPill(name) {
    return Math.min(name.length, this.pillLetters()) * CHART.letter / 2 + 9;
  }

  // How far the mark of a row reaches from the life line.
  reach(index, row) {
    const now = this.run.configurations[row].objects[index]?.active;
    const before = this.run.configurations[row - 1]?.objects[index]?.active;
    return now !== undefined && now !== before ? this.halfPill(now) : 4.5;
  }

  // Straight from the environment: an arrow in the row itself.
  receipt(step, row) {
    if (!step.taken?.from_environment) return [];
    const [from, y] = [this.lifeLine(null), this.head(row)];
    const to = this.lifeLine(step.object) - this.reach(step.object, row);
    return [shape("g", { class: "message from-environment" },
      shape("path", { d: `M${from} ${y}H${to - 2}`, "marker-end": "url(#arrow)" }),
      shape("circle", { class: "origin", cx: from, cy: y, r: 3 }),
      this.label(from + 8, y - 5, "start", step.taken.message, 1))];
  }

  sending(step, row, sent, number) {
    const sender = step.event === "environment" ? null : step.object ?? sent.to;
    const y = this.tops[row] + CHART.firstSend + CHART.send * number;
    const [from, receiver] = [this.lifeLine(sender), this.lifeLine(sent.to)];
    const rightwards = sender === null || sender < sent.to;
    const side = rightwards ? -1 : 1; // of the receiver on which the message waits
    const end = sent.taken_at ?? this.run.last + 1;
    const lane = this.laneFor(sent.to, side, row, sent.lost ? row : end);
    const edge = receiver + side * (this.column / 2 - 4 - lane * CHART.lane);
    const columns = sender === null || sender === sent.to ? 1 : Math.abs(sent.to - sender);
    const label = rightwards
      ? this.label(from + 8, y - 4, "start", sent.message, columns)
      : sender === sent.to ? this.label(from + 6, y - 4, "start", sent.message, 0.5)
        : this.label(from - 8, y - 4, "end", sent.message, columns);
    const classes = ["message", sent.lost && "lost", sender === null && "from-environment", sent.taken_at === null && !sent.lost && "waiting"];
    const group = shape("g", { class: classes.filter(Boolean).join(" ") });
    if (sent.lost) {
      const stop = rightwards ? edge - 4 : edge + 4;
      group.append(shape("path", { d: `M${from} ${y}H${stop}` }), cross(stop, y, "lost"), label);
      return group;
    }
    const down = sent.taken_at === null ? this.tops.at(-1) - 6 : this.head(end);
    group.append(shape("path", { d: `M${from} ${y}H${edge}` }), shape("path", { class: "wait", d: `M${edge} ${y}V${down}` }));
    if (sent.taken_at === null) {
      group.append(shape("circle", { class: "left-over", cx: edge, cy: down, r: 3.5 }));
    } else {
      const tip = receiver + side * (this.reach(sent.to, end) + 2);
      group.append(shape("path", { d: `M${edge} ${down}H${tip}`, "marker-end": "url(#arrow)" }));
    }
    group.append(label);
    return group;
  }

  // The first lane beside a life line that nobody waits in meanwhile.
  laneFor(index, side, from, to) {
    const taken = this.lanes[index].filter((other) => other.side === side && other.from <= to && from <= other.to);
    let lane = 0;
    while (taken.some((other) => other.lane === lane)) lane += 1;
    lane %= 4;
    this.lanes[index].push({ side, from, to, lane });
    return lane;
  }

  label(x, y, anchor, text, columns) {
    const room = Math.floor((columns * this.column - 30) / CHART.letter);
    return shape("text", { class: "message-name", x, y, "text-anchor": anchor }, clipped(text, Math.max(6, room)), shape("title", {}, text));
  }

  ending() {
    const y = this.tops.at(-1) + 4;
    return shape("g", { class: "ending" },
      shape("line", { x1: 0, x2: this.width, y1: y, y2: y }),
      cross(14, y + 18, "fault"));
  }

  select(row) {
    this.band.setAttribute("y", this.tops[row]);
    this.band.setAttribute("height", this.tops[row + 1] - this.tops[row]);
    this.node.querySelector(".row.current")?.classList.remove("current");
    this.node.querySelector(`[data-row="${row}"]`)?.classList.add("current");
  }
}

function arrowHeads() {
  return shape("defs", {}, shape("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    shape("path", { d: "M0 0.5L8 4L0 7.5Z", class: "arrow-head" })));
}

function cross(x, y, kind) {
  return shape("path", { class: `cross ${kind}`, d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` });
}
