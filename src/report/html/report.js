// The page of a check.

const data = JSON.parse(document.getElementById("data").textContent);

class Counterexample {
  constructor(scene, runs) {
    this.scene = scene;
    this.runs = runs;
    this.objects = new Objects(scene);
    this.source = new Source(scene);
    this.details = new Details(scene, (line) => this.source.goTo(line));
    this.stepper = new Stepper((to) => this.go(to(this.now, this.run.last)));
    this.storyPlace = element("div", { class: "story-place" });
    this.select = this.selector();
    this.node = section("Counterexample", "counterexample",
      element("div", { class: "toolbar" }, this.select ? element("label", {}, "Property ", this.select) : null, this.stepper.node,
        element("span", { class: "hint" }, element("kbd", {}, "←"), " ", element("kbd", {}, "→"), " to step")),
      element("div", { class: "columns" }, this.storyPlace, element("div", { class: "beside" }, this.details.node, this.source.node)),
      this.objects.node);
  }

  selector() {
    if (this.runs.length < 2) return null;
    const name = (view) => `${this.scene.properties[view.property].name} (${counted(view.steps.length - 1, "step")})`;
    return element("select", { id: "property", onchange: () => this.choose(Number(this.select.value)) },
      this.runs.map((view, index) => element("option", { value: index }, name(view))));
  }

  choose(index, step) {
    this.index = index;
    this.run = new Run(this.runs[index]);
    if (this.select) this.select.value = String(index);
    this.story = new Story(this.scene, this.run, (number) => this.go(number));
    this.storyPlace.replaceChildren(this.story.node);
    this.go(step ?? this.run.last);
  }

  go(number) {
    this.now = Math.max(0, Math.min(number, this.run.last));
    const moment = this.run.at(this.now);
    const view = this.run.view;
    const isEnd = this.now === this.run.last;
    const conclusion = isEnd && view.sentence ? { name: this.scene.properties[view.property].name, sentence: view.sentence, line: view.line } : null;
    this.story.select(this.now);
    this.details.show(this.now, moment, conclusion);
    this.objects.show(moment);
    this.source.mark(moment.step.lines);
    if (conclusion && view.line !== null) this.source.blame(view.line);
    this.stepper.show(this.now, this.run.last);
    this.note();
  }

  // So that a link leads to the same step.
  note() {
    const name = encodeURIComponent(this.scene.properties[this.run.view.property].name);
    try { history.replaceState(null, "", `#${name}/${this.now}`); } catch { /* some viewers refuse */ }
  }

  start() {
    const [name, step] = location.hash.slice(1).split("/");
    const found = this.runs.findIndex((view) => encodeURIComponent(this.scene.properties[view.property].name) === name);
    if (found >= 0) this.choose(found, Number.parseInt(step, 10) || 0);
    else this.choose(0);
  }
}

function propertySection(scene, properties, show) {
  const row = (view) => {
    const declared = scene.properties[view.property];
    const name = view.run === null ? element("span", { class: "mono" }, declared.name)
      : element("button", { type: "button", class: "link mono", onclick: () => show(view.run) }, declared.name);
    return element("tr", {}, element("td", {}, element("span", { class: `badge ${view.verdict}` }, view.verdict)), element("td", {}, name),
      element("td", { class: "remark" }, view.remark), element("td", { class: "text mono" }, declared.text.replace(/^property\s+\S+\s*:\s*/, "")));
  };
  return section("Properties", "properties", element("div", { class: "wide-box" }, element("table", { class: "properties" }, element("tbody", {}, properties.map(row)))));
}

function unusedSection(entered, taken) {
  if (!entered.length && !taken.length) return null;
  const list = (title, lines) => lines.length ? element("div", {}, element("h3", {}, title), element("ul", { class: "plain mono" }, lines.map((line) => element("li", {}, line)))) : null;
  return section("Never used", "unused", element("div", { class: "two" }, list("States that no run enters", entered), list("Transitions that no run takes", taken)));
}

function sourceSection(scene) {
  const source = new Source(scene);
  return section("Model", "model", source.node);
}

function build() {
  const { scene } = data;
  const main = document.getElementById("main");
  document.getElementById("hero").append(themeButton());
  const example = data.runs.length ? new Counterexample(scene, data.runs) : null;
  const show = (run) => { example.choose(run); example.node.scrollIntoView({ block: "start" }); };
  main.replaceChildren(...[
    ...data.notes.map((note) => element("p", { class: "note" }, note)),
    propertySection(scene, data.properties, show), example?.node,
    data.refinement ? refinementSection(scene, data.refinement) : null, courseSection(data.figures),
    unusedSection(data.never_entered, data.never_taken), example ? null : machinesSection(scene), example ? null : sourceSection(scene),
    element("footer", {}, `Crisol ${data.version}`)].filter(Boolean));
  example?.start();
}

// Without a run the machines are shown as they are.
function machinesSection(scene) {
  const card = (name, number) => element("article", { class: "card" }, element("h3", {}, name), element("div", { class: "diagram" }, machine(number)));
  return section("Machines", "machines", element("div", { class: "objects" }, scene.classes.map(card)));
}

build();
