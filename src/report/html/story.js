// The steps as a list, row by row beside the sequence chart. Both scroll together.

class Story {
  constructor(scene, run, choose) {
    this.chart = new SequenceChart(scene, run);
    this.actors = run.steps.map((step) => step.object);
    this.items = run.steps.map((step, number) => this.item(step, number, choose));
    this.list = element("ol", { class: "steps", role: "listbox", tabindex: 0, "aria-label": "Steps" }, this.items);
    if (run.view.sentence) {
      const name = run.view.property === null ? "" : scene.properties[run.view.property].name;
      this.list.append(element("li", { class: "conclusion", title: run.view.sentence, onclick: () => choose(run.last) }, `${name}: ${run.view.sentence}`));
    }
    this.box = element("div", { class: "story-box" },
      element("div", { class: "names" }, element("div", { class: "corner" }, "Step"), this.names(scene)),
      element("div", { class: "rows" }, this.list, this.chart.node));
    this.node = element("div", { class: "story" }, this.viewSwitch(), this.box);
  }

  // On a narrow screen either the list or the chart is shown.
  viewSwitch() {
    const tell = (view) => {
      this.box.dataset.view = view;
      for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.view === view);
    };
    const buttons = ["list", "chart"].map((view) => element("button", { type: "button", "data-view": view, onclick: () => tell(view) },
      view === "list" ? "List" : "Chart"));
    tell("list");
    return element("div", { class: "switch", role: "group", "aria-label": "List or chart" }, buttons);
  }

  names(scene) {
    const header = element("div", { class: "life-names" });
    header.style.width = `${this.chart.width}px`;
    if (this.chart.hasEnvironment) header.append(this.name("environment", this.chart.lifeLine(null), 98, "environment"));
    scene.objects.forEach((object, index) => header.append(this.name(object.name, this.chart.lifeLine(index), this.chart.column - 8, scene.classes[object.class])));
    return header;
  }

  name(text, centre, width, title) {
    const node = element("span", { title }, text);
    node.style.left = `${centre - width / 2}px`;
    node.style.width = `${width}px`;
    return node;
  }

  item(step, number, choose) {
    const item = element("li", { id: `step-${number}`, role: "option", "aria-selected": "false", class: step.fault ? "faulty" : null, onclick: () => choose(number) },
      element("span", { class: "number" }, number),
      element("span", { class: "what" },
        element("span", { class: "summary", title: step.summary }, step.summary),
        element("span", { class: "label", title: step.labels.join("\n") }, step.labels.join("; "))));
    item.style.height = `${this.chart.tops[number + 1] - this.chart.tops[number]}px`;
    return item;
  }

  select(number) {
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    const item = this.items[number];
    item.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", item.id);
    this.chart.select(number);
    this.reveal(number);
  }

  reveal(number) {
    const { tops, height } = this.chart;
    const head = this.box.firstElementChild.offsetHeight;
    const end = number === this.items.length - 1 ? height : tops[number + 1];
    revealIn(this.box, tops[number], head + end + 4);
    const actor = this.actors[number];
    if (actor === null) return;
    const hidden = this.list.offsetWidth; // the list covers what is behind it
    const [x, half] = [this.chart.lifeLine(actor), this.chart.column / 2];
    const isSeen = x - half >= this.box.scrollLeft && x + half <= this.box.scrollLeft + this.box.clientWidth - hidden;
    if (!isSeen) this.box.scrollLeft = x - (this.box.clientWidth - hidden) / 2;
  }
}
